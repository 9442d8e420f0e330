import { API_BASE, ApiError, createClient } from "@messageoh/contracts/client";
import { getUser } from "@messageoh/contracts/users";
import type { CheckOutcome } from "./sessionState.ts";

const call = createClient({ baseUrl: API_BASE, timeoutMs: 10_000 });

/** Fetches the stored user. */
export async function checkUser(userId: string, signal: AbortSignal): Promise<CheckOutcome> {
  try {
    return { type: "confirmed", user: await call(getUser, { params: { user_id: userId }, signal }) };
  } catch (error) {
    return { type: outcomeOf(error) };
  }
}

/** Returns `denied` if the server rejected the session, `unanswered` if the check could not be completed. */
export function outcomeOf(error: unknown): "denied" | "unanswered" {
  if (!(error instanceof ApiError)) return "unanswered";
  // A timeout (408) or a rate limit (429) says nothing about the session.
  if (error.status === 0 || error.status === 408 || error.status === 429) return "unanswered";
  return error.status < 500 ? "denied" : "unanswered";
}
