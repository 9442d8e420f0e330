import type { User } from "@messageoh/contracts/users";
import { useEffect, useMemo, useReducer } from "react";
import { checkUser } from "./checkUser.ts";
import { firstState, reduceSession, type SessionState } from "./sessionState.ts";
import { onStoredUserIdChange, readStoredUserId, writeStoredUserId } from "./storedUserId.ts";

export interface Session {
  state: SessionState;
  /** Called after a login or registration on this page. */
  start: (user: User) => void;
  end: (why?: "ended") => void;
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
    checkUser(userId, aborter.signal).then((outcome) => {
      if (aborter.signal.aborted) return;
      if (outcome.type === "denied") writeStoredUserId(null);
      dispatch(outcome);
    });
    return () => aborter.abort();
  }, [userId, attempt]);

  useEffect(() => onStoredUserIdChange((id) => dispatch({ type: "storedIdChanged", userId: id })), []);

  const actions = useMemo(
    () => ({
      start: (user: User) => {
        writeStoredUserId(user.id);
        dispatch({ type: "started", user });
      },
      end: (why?: "ended") => {
        writeStoredUserId(null);
        dispatch({ type: why ?? "loggedOut" });
      },
      changeUser: (user: User) => dispatch({ type: "userChanged", user }),
      retry: () => dispatch({ type: "retried" }),
    }),
    [],
  );
  return { state, ...actions };
}
