import { API_BASE, requestJson, SESSION_ID_COOKIE } from "@messageoh/contracts/request";
import { outcomeOf } from "./checkUser.ts";

// A sign-in sets the cookie to the id of its session. After a log-out it is `<session id>.<user id>` until the server
// has ended that session. The next sign-in replaces it, and the server then ends the previous session itself.

/** 180 days, after which the session has ended anyway. */
const MAX_AGE_SECONDS = 180 * 24 * 60 * 60;

function readCookie(): string {
  const pair = document.cookie.split("; ").find((one) => one.startsWith(`${SESSION_ID_COOKIE}=`));
  return pair?.slice(SESSION_ID_COOKIE.length + 1) ?? "";
}

function writeCookie(value: string, maxAgeSeconds: number): void {
  document.cookie = `${SESSION_ID_COOKIE}=${value}; Path=/; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
}

/** Notes that the user has logged out, until `call` or a repetition has ended the session. */
export function noteLogOut(userId: string, call: Promise<unknown>): void {
  const [sessionId] = readCookie().split(".");
  if (!sessionId) return;
  const note = `${sessionId}.${userId}`;
  writeCookie(note, MAX_AGE_SECONDS);
  void removeAfter(call, note);
}

/** Repeats a log-out that the server may not have. It names the session, so it cannot end that of a later sign-in. */
export function repeatLogOut(): void {
  const note = readCookie();
  const [session_id, user_id] = note.split(".");
  if (!session_id || !user_id) return;
  const path = "/sessions/:user_id/:session_id";
  const params = { user_id, session_id };
  void removeAfter(requestJson({ baseUrl: API_BASE }, { method: "DELETE", path, params, keepalive: true }), note);
}

/** Removes the note when the server has responded: the session has ended, or this browser cannot end it any more. */
async function removeAfter(call: Promise<unknown>, note: string): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (outcomeOf(error) === "unanswered") return;
  }
  if (readCookie() === note) writeCookie("", 0);
}
