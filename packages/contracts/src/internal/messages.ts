import * as z from "zod/mini";
import { endpoint } from "../http/endpoint.ts";
import { forwardOf, message } from "../http/messages.ts";
import { attachmentIds } from "../rules/attachments.ts";
import { id, isoTime, messageText, seq } from "../rules/fields.ts";
import { MISSED_MAX_RANGES, MISSED_MAX_USERS, PAGE_MAX_MESSAGES } from "../rules/limits.ts";

/** Schema of a message from svc-realtime to svc-messages. The sender is authenticated; membership of the thread is not checked yet. */
export const newMessage = z.object({
  client_id: id,
  thread_id: id,
  sending_user_id: id,
  recipient_user_id: id,
  text: messageText,
  reply_to: z.optional(seq),
  attachments: z.optional(attachmentIds),
  preview: z.optional(id),
  forward_of: z.optional(forwardOf),
  timestamp: z.optional(isoTime),
  request_id: z.string().check(z.maxLength(200)),
  /** Id of the sending socket, which gets an ack instead of the event. */
  origin: z.string().check(z.maxLength(100)),
  /** Name of the sending instance. Instances of the previous release do not send it. */
  instance: z.optional(z.string().check(z.maxLength(100))),
  /** W3C Trace Context of the sending span, if the trace is recorded. */
  traceparent: z.optional(z.string().check(z.maxLength(100))),
});
export type NewMessage = z.infer<typeof newMessage>;

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
  body: z.object({ thread_id: id, after: seq, before: seq }),
  response: z.object({ messages: z.array(message) }),
});

/**
 * Schema of a read marker or delivery receipt: the user has read all messages up to `seq`, or one of the user's browsers
 * has received them.
 */
export const marker = z.object({ kind: z.enum(["read", "delivered"]), thread_id: id, user_id: id, seq });
export type Marker = z.infer<typeof marker>;

/** A marker and the request that moves it. */
export const markerMove = z.object({ ...marker.shape, request_id: z.string().check(z.maxLength(200)) });
export type MarkerMove = z.infer<typeof markerMove>;

/** Result for one marker: its position, permanently rejected, or to be retried. */
export type MarkerResult = { marker: Marker } | { error: string } | { retry: true };

/**
 * Lists the messages to and from these users whose ids are in one of the ranges and after `after`, ascending by id, at most
 * {@link MISSED_MAX_MESSAGES}. An instance that may have missed events requests them.
 */
export const listMissedMessages = endpoint({
  method: "POST",
  path: "/internal/messages/missed",
  body: z.object({
    user_ids: z.array(id).check(z.maxLength(MISSED_MAX_USERS)),
    /** The first id of a range is part of it, the last one is not. */
    ranges: z.array(z.tuple([id, id])).check(z.minLength(1), z.maxLength(MISSED_MAX_RANGES)),
    after: z.optional(id),
  }),
  response: z.object({ messages: z.array(message) }),
});

/** Attachments in one call between svc-media and svc-messages. */
export const MEDIA_BATCH_MAX = 200;
const placed = z.object({ thread_id: id, media_id: id });
const placedList = z.array(placed).check(z.maxLength(MEDIA_BATCH_MAX));

/**
 * Returns which of these attachments a message of the thread contains now, and the number of that message by attachment. For
 * svc-media, at each download and clean-up.
 */
export const listAttached = endpoint({
  method: "POST",
  path: "/internal/messages/attached",
  body: z.object({ media: placedList }),
  // The previous release has no `seqs`.
  response: z.object({ attached: z.array(id), seqs: z.optional(z.record(id, seq)) }),
});
