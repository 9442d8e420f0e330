import * as v from "valibot";
import { endpoint } from "../http/endpoint.ts";
import { forwardOf, message } from "../http/messages.ts";
import { attachmentIds } from "../rules/attachments.ts";
import { id, isoTime, messageText, seq } from "../rules/fields.ts";
import { MISSED_MAX_RANGES, MISSED_MAX_USERS, PAGE_MAX_MESSAGES } from "../rules/limits.ts";

/**
 * Schema of a message from svc-realtime to svc-messages. The sender is authenticated; membership of the thread is not
 * checked yet.
 */
export const newMessage = v.object({
  client_id: id,
  thread_id: id,
  sending_user_id: id,
  recipient_user_id: id,
  text: messageText,
  reply_to: v.optional(seq),
  attachments: v.optional(attachmentIds),
  preview: v.optional(id),
  forward_of: v.optional(forwardOf),
  timestamp: v.optional(isoTime),
  request_id: v.pipe(v.string(), v.maxLength(200)),
  /** Id of the sending socket, which gets an ack instead of the event. */
  origin: v.pipe(v.string(), v.maxLength(100)),
  /** Name of the sending instance. Instances of the previous release do not send it. */
  instance: v.optional(v.pipe(v.string(), v.maxLength(100))),
  /** W3C Trace Context of the sending span, if the trace is recorded. */
  traceparent: v.optional(v.pipe(v.string(), v.maxLength(100))),
});
export type NewMessage = v.InferOutput<typeof newMessage>;

/** Returns an estimate of the bytes that a message uses in memory and in JSON. */
export const messageBytes = ({ text, attachments, preview }: Sized): number =>
  500 + 3 * text.length + 1_000 * (attachments?.length ?? 0) + (preview === undefined ? 0 : 3_000);

interface Sized {
  text: string;
  attachments?: readonly unknown[] | undefined;
  preview?: unknown;
}

/** Lists the messages of a thread between two numbers (exclusive), ascending, at most {@link PAGE_MAX_MESSAGES}. */
export const listBetween = endpoint({
  method: "POST",
  path: "/internal/messages/between",
  body: v.object({ thread_id: id, after: seq, before: seq }),
  response: v.object({ messages: v.array(message) }),
});

/**
 * Schema of a read marker or delivery receipt: the user has read all messages up to `seq`, or one of the user's
 * browsers has received them.
 */
export const marker = v.object({ kind: v.picklist(["read", "delivered"]), thread_id: id, user_id: id, seq });
export type Marker = v.InferOutput<typeof marker>;

/** A marker and the request that moves it. */
export const markerMove = v.object({ ...marker.entries, request_id: v.pipe(v.string(), v.maxLength(200)) });
export type MarkerMove = v.InferOutput<typeof markerMove>;

/** Result for one marker: its position, permanently rejected, or to be retried. */
export type MarkerResult = { marker: Marker } | { error: string } | { retry: true };

/**
 * Lists the messages to and from these users whose ids are in one of the ranges and after `after`, ascending by id, at
 * most {@link MISSED_MAX_MESSAGES}. An instance that may have missed events requests them.
 */
export const listMissedMessages = endpoint({
  method: "POST",
  path: "/internal/messages/missed",
  body: v.object({
    user_ids: v.pipe(v.array(id), v.maxLength(MISSED_MAX_USERS)),
    /** The first id of a range is part of it, the last one is not. */
    ranges: v.pipe(v.array(v.tuple([id, id])), v.minLength(1), v.maxLength(MISSED_MAX_RANGES)),
    after: v.optional(id),
  }),
  response: v.object({ messages: v.array(message) }),
});

/** Attachments in one call between svc-media and svc-messages. */
export const MEDIA_BATCH_MAX = 200;
const placed = v.object({ thread_id: id, media_id: id });
const placedList = v.pipe(v.array(placed), v.maxLength(MEDIA_BATCH_MAX));

/**
 * Returns which of these attachments a message of the thread contains now, and the number of that message by
 * attachment. For svc-media, at each download and clean-up.
 */
export const listAttached = endpoint({
  method: "POST",
  path: "/internal/messages/attached",
  body: v.object({ media: placedList }),
  // The previous release has no `seqs`.
  response: v.object({ attached: v.array(id), seqs: v.optional(v.record(id, seq)) }),
});
