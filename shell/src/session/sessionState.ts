import type { User } from "@messageoh/contracts/users";

export type SessionState =
  | { status: "anonymous" }
  /** `attempt` counts up, so that a retry is a new check. */
  | { status: "checking"; userId: string; attempt: number }
  | { status: "failed"; userId: string; attempt: number }
  | { status: "loggedIn"; user: User };

/** What came of a check: this user, a no, or no answer. */
export type CheckOutcome = { type: "confirmed"; user: User } | { type: "denied" } | { type: "unanswered" };

export type SessionAction =
  | CheckOutcome
  | { type: "started"; user: User }
  | { type: "ended" }
  | { type: "userChanged"; user: User }
  | { type: "retried" }
  /** Another tab signed in or out. */
  | { type: "storedIdChanged"; userId: string | null };

const ANONYMOUS: SessionState = { status: "anonymous" };

export function firstState(storedId: string | null): SessionState {
  return storedId === null ? ANONYMOUS : { status: "checking", userId: storedId, attempt: 0 };
}

export function reduceSession(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case "started":
      return { status: "loggedIn", user: action.user };
    case "ended":
      return ANONYMOUS;
    case "userChanged":
      return state.status === "loggedIn" ? { status: "loggedIn", user: action.user } : state;
    case "confirmed":
      return state.status === "checking" ? { status: "loggedIn", user: action.user } : state;
    case "denied":
      return state.status === "checking" ? ANONYMOUS : state;
    case "unanswered":
      return state.status === "checking" ? { ...state, status: "failed" } : state;
    case "retried":
      return state.status === "failed" ? { ...state, status: "checking", attempt: state.attempt + 1 } : state;
    case "storedIdChanged":
      return action.userId === userIdOf(state) ? state : firstState(action.userId);
  }
}

function userIdOf(state: SessionState): string | null {
  if (state.status === "anonymous") return null;
  return state.status === "loggedIn" ? state.user.id : state.userId;
}
