// Calls of svc-realtime of the previous release. They are served for one release, so that a rolling upgrade needs no
// break.
import * as v from "valibot";
import { endpoint } from "../http/endpoint.ts";
import { message } from "../http/messages.ts";
import { type MarkerResult, markerMove, newMessage } from "../internal/messages.ts";
import { id, int, isoTime } from "../rules/fields.ts";
import { BATCH_MAX_MESSAGES } from "../rules/limits.ts";

/**
 * Result for one message of a batch: stored (now or by an earlier call), permanently rejected, or to be retried with
 * the same `client_id`. Callers do not validate the message, because svc-messages is trusted.
 */
export type StoreResult = { message: v.InferOutput<typeof message> } | { error: string } | { retry: true };
const storeResult = v.custom<StoreResult>((value) => typeof value === "object" && value !== null);

/**
 * The clock of the process that responds: its time in milliseconds since 1970, and the process as in the ids of its
 * messages. Optional because older versions of svc-messages do not send it.
 */
const clock = { now: v.optional(int), process: v.optional(v.string()) };

/**
 * Stores a batch. The response contains one result per message, in the same order. The order within a thread is kept:
 * if a message is to be retried, so are the later messages of its thread. If the call fails, any part of the batch may
 * be stored, so retry the whole batch at any instance.
 */
export const storeMessages = endpoint({
  method: "POST",
  path: "/internal/messages",
  body: v.object({ messages: v.pipe(v.array(newMessage), v.minLength(1), v.maxLength(BATCH_MAX_MESSAGES)) }),
  response: v.object({ results: v.array(storeResult), ...clock }),
});

const markerResult = v.custom<MarkerResult>((value) => typeof value === "object" && value !== null);

/** Moves a batch of markers forward. The response contains one result per marker, in the same order. */
export const moveMarkers = endpoint({
  method: "POST",
  path: "/internal/markers/batch",
  body: v.object({ markers: v.pipe(v.array(markerMove), v.minLength(1), v.maxLength(BATCH_MAX_MESSAGES)) }),
  response: v.object({ results: v.array(markerResult) }),
});

/**
 * Lists messages that were stored for any of these users since `since`, and before `until` if it is given. An instance
 * that may have missed events requests them. `known` is the number of messages that it has, by user: the response
 * leaves out users for whom no more than that were stored.
 */
export const listRecentMessages = endpoint({
  method: "POST",
  path: "/internal/messages/recent",
  body: v.object({
    user_ids: v.pipe(v.array(id), v.maxLength(500)),
    since: isoTime,
    until: v.optional(isoTime),
    known: v.optional(v.record(id, int)),
  }),
  /** `since` and `until` refer to the clock of the response. */
  response: v.object({ messages: v.array(message), ...clock }),
});
