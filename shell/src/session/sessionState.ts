import type { User } from "@messageoh/contracts/users";

export type SessionState =
  /** `ended`: the session ended without a log-out on this page. */
  | { status: "anonymous"; why?: "loggedOut" | "ended" }
  /** `attempt` increases with every retry, which triggers another check. */
  | { status: "checking"; userId: string; attempt: number }
  | { status: "failed"; userId: string; attempt: number }
  | { status: "loggedIn"; user: User };

/** Result of a check: the user is confirmed, denied, or the server did not respond. */
export type CheckOutcome = { type: "confirmed"; user: User } | { type: "denied" } | { type: "unanswered" };

export type SessionAction =
  | CheckOutcome
  | { type: "started"; user: User }
  | { type: "loggedOut" }
  /** The server ended the session. */
  | { type: "ended" }
  | { type: "userChanged"; user: User }
  | { type: "retried" }
  /** Another tab signed in or out. */
  | { type: "storedIdChanged"; userId: string | null };

const ENDED: SessionState = { status: "anonymous", why: "ended" };

export function firstState(storedId: string | null): SessionState {
  return storedId === null ? { status: "anonymous" } : { status: "checking", userId: storedId, attempt: 0 };
}

export function reduceSession(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case "started":
      return { status: "loggedIn", user: action.user };
    case "loggedOut":
      return { status: "anonymous", why: "loggedOut" };
    case "ended":
      return state.status === "anonymous" ? state : ENDED;
    case "userChanged":
      return state.status === "loggedIn" ? { status: "loggedIn", user: action.user } : state;
    case "confirmed":
      return state.status === "checking" ? { status: "loggedIn", user: action.user } : state;
    case "denied":
      return state.status === "checking" ? ENDED : state;
    case "unanswered":
      return state.status === "checking" ? { ...state, status: "failed" } : state;
    case "retried":
      return state.status === "failed" ? { ...state, status: "checking", attempt: state.attempt + 1 } : state;
    case "storedIdChanged":
      if (action.userId === userIdOf(state)) return state;
      return action.userId === null ? ENDED : firstState(action.userId);
  }
}

function userIdOf(state: SessionState): string | null {
  if (state.status === "anonymous") return null;
  return state.status === "loggedIn" ? state.user.id : state.userId;
}
