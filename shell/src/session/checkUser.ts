import { API_BASE, ApiError, createClient } from "@messageoh/contracts/client";
import { getUser } from "@messageoh/contracts/users";
import type { CheckOutcome } from "./sessionState.ts";

const call = createClient({ baseUrl: API_BASE, timeoutMs: 10_000 });

/** Asks the server who the stored user is. */
export async function checkUser(userId: string, signal: AbortSignal): Promise<CheckOutcome> {
  try {
    return { type: "confirmed", user: await call(getUser, { params: { user_id: userId }, signal }) };
  } catch (error) {
    return { type: outcomeOf(error) };
  }
}

/** What a failed check means: the server said no, or nobody knows. */
export function outcomeOf(error: unknown): "denied" | "unanswered" {
  if (!(error instanceof ApiError)) return "unanswered";
  // Too slow and too often are not a no.
  if (error.status === 0 || error.status === 408 || error.status === 429) return "unanswered";
  return error.status < 500 ? "denied" : "unanswered";
}
