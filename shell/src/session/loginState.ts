import type { SessionState } from "./sessionState.ts";

/** What the history entry of the login page knows; it survives a reload. */
export interface LoginState {
  /** The thread that a visitor came for. */
  from?: string;
  hasSessionEnded?: boolean;
}

/** Returns what the login page is told about a visitor who came for `path`, or `null` after a log-out. */
export function loginState(session: SessionState & { status: "anonymous" }, path: string): LoginState | null {
  return session.why === "loggedOut" ? null : { from: path, hasSessionEnded: session.why === "ended" };
}

/** Returns where a log-in leads: to the thread that was wanted, otherwise home. */
export function pathAfterLogin(state: unknown): string {
  const { from } = readLoginState(state);
  return typeof from === "string" && from.startsWith("/home/") ? from : "/home";
}

/** Returns the state of a history entry as {@link LoginState}; another entry has none of its fields. */
export function readLoginState(state: unknown): LoginState {
  return typeof state === "object" && state !== null ? state : {};
}
