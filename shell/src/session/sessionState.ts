import type { User } from "@messageoh/contracts/users";

export type SessionState =
  /** `ended`: the session ended without a log-out on this page. */
  | { status: "anonymous"; why?: "loggedOut" | "ended" }
  /** `attempt` increases with every retry, which triggers another check. */
  | { status: "checking"; userId: string; attempt: number }
  | { status: "failed"; userId: string; attempt: number }
  /** `isUnconfirmed`: the server did not respond, so this is the user whom the device remembers. */
  | { status: "loggedIn"; user: User; isUnconfirmed?: true };

/**
 * Result of a check: the user is confirmed, denied, or the server did not respond. `remembered` is the user whom the
 * device remembers.
 */
export type CheckOutcome =
  | { type: "confirmed"; user: User }
  | { type: "denied" }
  | { type: "unanswered"; remembered?: User | null };

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
      // The response to a change of a former user can be late.
      return state.status === "loggedIn" && state.user.id === action.user.id ? { ...state, user: action.user } : state;
    case "confirmed":
      return isUnconfirmed(state) ? { status: "loggedIn", user: action.user } : state;
    case "denied":
      return isUnconfirmed(state) ? ENDED : state;
    case "unanswered":
      if (state.status !== "checking") return state;
      return action.remembered
        ? { status: "loggedIn", user: action.remembered, isUnconfirmed: true }
        : { ...state, status: "failed" };
    case "retried":
      return state.status === "failed" ? { ...state, status: "checking", attempt: state.attempt + 1 } : state;
    case "storedIdChanged":
      if (action.userId === userIdOf(state)) return state;
      return action.userId === null ? ENDED : firstState(action.userId);
  }
}

/** Returns whether the result of a check matters: the user is being checked, or the device remembered them. */
function isUnconfirmed(state: SessionState): boolean {
  return state.status === "checking" || (state.status === "loggedIn" && state.isUnconfirmed === true);
}

function userIdOf(state: SessionState): string | null {
  if (state.status === "anonymous") return null;
  return state.status === "loggedIn" ? state.user.id : state.userId;
}
