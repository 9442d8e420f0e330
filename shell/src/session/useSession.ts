import { createClient } from "@messageoh/contracts/client";
import { getUser, type User } from "@messageoh/contracts/users";
import { useEffect, useMemo, useReducer } from "react";
import { firstState, outcomeOf, reduceSession, type SessionState } from "./sessionState.ts";
import { onStoredUserIdChange, readStoredUserId, writeStoredUserId } from "./storedUserId.ts";

const call = createClient({ baseUrl: "/messageoh", timeoutMs: 10_000 });

export interface Session {
  state: SessionState;
  /** Somebody signed in or registered on this page. */
  start: (user: User) => void;
  end: () => void;
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
    call(getUser, { params: { user_id: userId }, signal: aborter.signal }).then(
      (user) => {
        if (!aborter.signal.aborted) dispatch({ type: "confirmed", user });
      },
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        const outcome = outcomeOf(error);
        if (outcome === "denied") writeStoredUserId(null);
        dispatch({ type: outcome });
      },
    );
    return () => aborter.abort();
  }, [userId, attempt]);

  useEffect(() => onStoredUserIdChange((id) => dispatch({ type: "storedIdChanged", userId: id })), []);

  const actions = useMemo(
    () => ({
      start: (user: User) => {
        writeStoredUserId(user.id);
        dispatch({ type: "started", user });
      },
      end: () => {
        writeStoredUserId(null);
        dispatch({ type: "ended" });
      },
      changeUser: (user: User) => dispatch({ type: "userChanged", user }),
      retry: () => dispatch({ type: "retried" }),
    }),
    [],
  );
  return { state, ...actions };
}
