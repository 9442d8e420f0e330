import { API_BASE, ApiError, requestJson } from "@messageoh/contracts/request";
import type { User } from "@messageoh/contracts/users";
import { sendEarly } from "./earlyCalls.ts";
import { rememberedUser } from "./rememberedUser.ts";
import type { CheckOutcome } from "./sessionState.ts";

/** A remembered user waits no longer for the server before the chat opens. */
const REMEMBERED_TIMEOUT_MS = 4_000;
const TIMEOUT_MS = 10_000;

/**
 * Fetches the stored user, or returns the remembered one if the server does not respond. It validates the response
 * itself, because the schemas and their library have ten times as much code as this check.
 */
export async function checkUser(userId: string, signal: AbortSignal): Promise<CheckOutcome> {
  const remembered = rememberedUser(userId);
  const client = { baseUrl: API_BASE, timeoutMs: remembered ? REMEMBERED_TIMEOUT_MS : TIMEOUT_MS, send: sendEarly };
  try {
    const params = { user_id: userId };
    const received = await requestJson(client, { method: "GET", path: "/users/:user_id", params, signal });
    return isUser(received) ? { type: "confirmed", user: received } : { type: "unanswered", remembered };
  } catch (error) {
    return { type: outcomeOf(error), remembered };
  }
}

function isUser(value: unknown): value is User {
  const { id, name, avatar_id } = (value ?? {}) as Record<keyof User, unknown>;
  return id !== "" && [id, name, avatar_id].every((part) => typeof part === "string");
}

/** Returns `denied` if the server rejected the session, `unanswered` if the check could not be completed. */
export function outcomeOf(error: unknown): "denied" | "unanswered" {
  if (!(error instanceof ApiError)) return "unanswered";
  // A timeout (408) or a rate limit (429) says nothing about the session.
  if (error.status === 0 || error.status === 408 || error.status === 429) return "unanswered";
  return error.status < 500 ? "denied" : "unanswered";
}
