import type { User } from "@messageoh/contracts/users";
import { useEffect, useMemo, useReducer } from "react";
import { checkUser } from "./checkUser.ts";
import { dropEarlyCalls } from "./earlyCalls.ts";
import { noteLogOut } from "./logOut.ts";
import { forgetUser, rememberUser } from "./rememberedUser.ts";
import { type CheckOutcome, firstState, reduceSession, type SessionState } from "./sessionState.ts";
import { onStoredUserIdChange, readStoredUserId, writeStoredUserId } from "./storedUserId.ts";

const RECHECK_MS = 10_000;

export interface Session {
  state: SessionState;
  /** Called after a login or registration on this page. */
  start: (user: User) => void;
  /** `call` is the one that ends the session, if it has not ended yet. */
  end: (why?: "ended", call?: Promise<unknown>) => void;
  changeUser: (user: User) => void;
  /** Checks the stored user again. */
  retry: () => void;
}

/** Returns the session state, which starts with the stored id until the server confirms or denies it. */
export function useSession(): Session {
  const [state, dispatch] = useReducer(reduceSession, undefined, () => firstState(readStoredUserId()));
  const userId = state.status === "checking" ? state.userId : null;
  const attempt = state.status === "checking" ? state.attempt : 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt checks the same id again
  useEffect(() => {
    if (userId === null) return;
    const aborter = new AbortController();
    void check(userId, aborter.signal, dispatch);
    return () => aborter.abort();
  }, [userId, attempt]);

  const unconfirmedId = state.status === "loggedIn" && state.isUnconfirmed ? state.user.id : null;
  useEffect(() => (unconfirmedId === null ? undefined : checkUntilAnswered(unconfirmedId, dispatch)), [unconfirmedId]);

  const user = state.status === "loggedIn" ? state.user : null;
  useEffect(() => {
    if (user) rememberUser(user);
  }, [user]);

  // Covers a log-out on this page or in another tab, and a session that the server ended.
  const isAnonymous = state.status === "anonymous";
  useEffect(() => {
    if (!isAnonymous) return;
    dropEarlyCalls();
    forgetUser();
  }, [isAnonymous]);

  useEffect(() => onStoredUserIdChange((id) => dispatch({ type: "storedIdChanged", userId: id })), []);

  const signedInId = user?.id ?? null;
  const actions = useMemo(
    () => ({
      start: (user: User) => {
        writeStoredUserId(user.id);
        dispatch({ type: "started", user });
      },
      end: (why?: "ended", call?: Promise<unknown>) => {
        if (call && signedInId !== null) noteLogOut(signedInId, call);
        writeStoredUserId(null);
        dispatch({ type: why ?? "loggedOut" });
      },
      changeUser: (user: User) => dispatch({ type: "userChanged", user }),
      retry: () => dispatch({ type: "retried" }),
    }),
    [signedInId],
  );
  return { state, ...actions };
}

/** Checks a user, and dispatches the outcome unless the check is aborted. */
async function check(userId: string, signal: AbortSignal, dispatch: (outcome: CheckOutcome) => void): Promise<void> {
  const outcome = await checkUser(userId, signal);
  if (signal.aborted) return;
  if (outcome.type === "denied") writeStoredUserId(null);
  dispatch(outcome);
}

/** Checks a remembered user whenever the server may respond again. Returns the function that stops it. */
function checkUntilAnswered(userId: string, dispatch: (outcome: CheckOutcome) => void): () => void {
  const aborter = new AbortController();
  const recheck = () => void check(userId, aborter.signal, dispatch);
  const timer = setInterval(recheck, RECHECK_MS);
  window.addEventListener("online", recheck);
  return () => {
    aborter.abort();
    clearInterval(timer);
    window.removeEventListener("online", recheck);
  };
}
