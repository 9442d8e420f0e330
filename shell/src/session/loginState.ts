import type { SessionState } from "./sessionState.ts";

/** State of the login page's history entry; it survives a reload. */
interface LoginState {
  /** Path, query and fragment of the thread, message or link that the visitor requested. */
  from?: string;
  hasSessionEnded?: boolean;
}

/** Returns the login state for a visitor who requested `path`, or `null` after a log-out. */
export function loginState(session: SessionState & { status: "anonymous" }, path: string): LoginState | null {
  return session.why === "loggedOut" ? null : { from: path, hasSessionEnded: session.why === "ended" };
}

/** Returns the path after a login: what the visitor requested, otherwise /home. */
export function pathAfterLogin(state: unknown): string {
  const { from } = readLoginState(state);
  return typeof from === "string" && /^\/home[/?#]/.test(from) ? from : "/home";
}

/** Returns the state of a history entry as {@link LoginState}; other entries have none of its fields. */
export function readLoginState(state: unknown): LoginState {
  return typeof state === "object" && state !== null ? state : {};
}
