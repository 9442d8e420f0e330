import type { User } from "@messageoh/contracts/users";
import { useEffect, useMemo, useReducer } from "react";
import { type CheckOutcome, firstState, reduceSession, type SessionState } from "./sessionState.ts";
import { onStoredUserIdChange, readStoredUserId, writeStoredUserId } from "./storedUserId.ts";

export interface Session {
  state: SessionState;
  /** Somebody signed in or registered on this page. */
  start: (user: User) => void;
  end: (why?: "ended") => void;
  changeUser: (user: User) => void;
  /** Asks again who the stored user is. */
  retry: () => void;
}

/** Who uses this page: begins with the stored id, which the server confirms or denies. */
export function useSession(): Session {
  const [state, dispatch] = useReducer(reduceSession, undefined, () => firstState(readStoredUserId()));
  const userId = state.status === "checking" ? state.userId : null;
  const attempt = state.status === "checking" ? state.attempt : 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new check of the same id
  useEffect(() => {
    if (userId === null) return;
    const aborter = new AbortController();
    check(userId, aborter.signal).then((outcome) => {
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

// A file of its own: a first visit has nobody to ask for and needs neither the client nor the schemas.
async function check(userId: string, signal: AbortSignal): Promise<CheckOutcome> {
  try {
    const { checkUser } = await import("./checkUser.ts");
    return await checkUser(userId, signal);
  } catch {
    return { type: "unanswered" };
  }
}
