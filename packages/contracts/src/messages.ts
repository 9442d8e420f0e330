import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { id, isoTime, messageText, queryNumber, searchText, seq } from "./fields.ts";
import { BATCH_MAX_MESSAGES, PAGE_MAX_MESSAGES } from "./limits.ts";

/** A stored message as it crosses every line of the system. `seq` counts 1, 2, 3, ... without gaps in its thread. */
export const message = z.object({
  id,
  client_id: z.nullable(z.string()),
  thread_id: id,
  seq,
  sending_user_id: id,
  recipient_user_id: id,
  /** Empty only in a thread's starting message (`seq` 0), which is never shown. */
  text: z.string(),
  timestamp: isoTime,
  /** Whether the recipient has read it. */
  read: z.boolean(),
});
export type Message = z.infer<typeof message>;

/** When a message was stored, in milliseconds: its id begins with it, as twelve hex digits. */
export const storedAt = (messageId: string): number => Number.parseInt(messageId.slice(0, 12), 16);

/**
 * The empty message that a thread begins with (specification, section 4). It is never stored: it stands for a thread
 * without messages, so that a client which groups messages into threads knows that the thread is there.
 */
export function startingMessage(thread: { thread_id: string; created_at: string }, from: string, to: string): Message {
  return {
    id: `${thread.thread_id}-0`,
    client_id: null,
    thread_id: thread.thread_id,
    seq: 0,
    sending_user_id: from,
    recipient_user_id: to,
    text: "",
    timestamp: thread.created_at,
    read: true,
  };
}

/** Where a user stands in a thread: what a client compares itself with when it catches up. */
export const threadState = z.object({
  thread_id: id,
  friend_id: id,
  last_seq: seq,
  read_seq: seq,
  friend_read_seq: seq,
  friend_delivered_seq: seq,
  unread_count: z.int(),
  /** Null in a thread without messages, and in old threads of a list that would be too large otherwise. */
  last_message: z.nullable(message),
});
export type ThreadState = z.infer<typeof threadState>;

const userParams = z.object({ user_id: id });

/**
 * Without `thread_id`: the newest `limit` messages of each thread. With it: one page of a thread, before or after a
 * number, ascending. With `search`: matches in all history, newest first; `before_id` asks for those older than a message.
 */
export const listMessages = endpoint({
  method: "GET",
  path: "/messages/:user_id",
  params: userParams,
  query: z.object({
    thread_id: z.optional(id),
    before_seq: z.optional(queryNumber(1, Number.MAX_SAFE_INTEGER)),
    after_seq: z.optional(queryNumber(0, Number.MAX_SAFE_INTEGER)),
    search: z.optional(searchText),
    before_id: z.optional(id),
    limit: z.optional(queryNumber(1, PAGE_MAX_MESSAGES)),
  }),
  answer: z.array(message),
});

export const listThreads = endpoint({
  method: "GET",
  path: "/threads/:user_id",
  params: userParams,
  answer: z.array(threadState),
});

/** Marks a thread read up to `seq`, or up to its newest message. Markers only move forward. */
export const updateMessageRead = endpoint({
  method: "PUT",
  path: "/update_message_read",
  body: z.object({ thread_id: id, seq: z.optional(seq) }),
  answer: z.object({ thread_id: id, user_id: id, seq }),
});

/** A message that svc-realtime hands to svc-messages. Its sender is authenticated; its thread is not checked yet. */
export const newMessage = z.object({
  client_id: id,
  thread_id: id,
  sending_user_id: id,
  recipient_user_id: id,
  text: messageText,
  timestamp: z.optional(isoTime),
  request_id: z.string().check(z.maxLength(200)),
  /** Id of the sending socket, which gets the ack instead of the event. */
  origin: z.string().check(z.maxLength(100)),
  /** W3C Trace Context of the span that sends it, if its trace is recorded. */
  traceparent: z.optional(z.string().check(z.maxLength(100))),
});
export type NewMessage = z.infer<typeof newMessage>;

/** About how many bytes a message takes in memory and in JSON. */
export const messageBytes = ({ text }: Pick<NewMessage, "text">): number => 500 + 3 * text.length;

/**
 * The outcome for one message of a batch: stored (now or by an earlier call), refused for good, or to be sent again with
 * the same `client_id`. svc-messages is trusted, so a caller does not parse the messages again.
 */
export type StoreResult = { message: Message } | { error: string } | { retry: true };
const storeResult = z.custom<StoreResult>((value) => typeof value === "object" && value !== null);

/**
 * Stores a batch. The response holds one result per message, in the same order. Within a thread the order of the batch is
 * kept: if one message is to be retried, so are the later ones of its thread. If the call fails, any part of the batch may
 * be stored, so the whole batch is sent again, to any instance.
 */
export const storeMessages = endpoint({
  method: "POST",
  path: "/internal/messages",
  body: z.object({ messages: z.array(newMessage).check(z.minLength(1), z.maxLength(BATCH_MAX_MESSAGES)) }),
  answer: z.object({ results: z.array(storeResult) }),
});

/** Messages of one thread between two numbers, both exclusive, ascending; the first {@link PAGE_MAX_MESSAGES} of them. */
export const listBetween = endpoint({
  method: "POST",
  path: "/internal/messages/between",
  body: z.object({ thread_id: id, after: seq, before: seq }),
  answer: z.object({ messages: z.array(message) }),
});

/** What a user has read, or what has reached one of its browsers: everything up to `seq`. */
export const marker = z.object({ kind: z.enum(["read", "delivered"]), thread_id: id, user_id: id, seq });
export type Marker = z.infer<typeof marker>;

/** A marker to move, on behalf of a request. */
const markerMove = z.object({ ...marker.shape, request_id: z.string().check(z.maxLength(200)) });
export type MarkerMove = z.infer<typeof markerMove>;

/** The outcome for one marker: where it is at most, refused for good, or to be sent again. */
export type MarkerResult = { marker: Marker } | { error: string } | { retry: true };
const markerResult = z.custom<MarkerResult>((value) => typeof value === "object" && value !== null);

/** Moves a batch of markers forward. The response holds one result per marker, in the same order. */
export const moveMarkers = endpoint({
  method: "POST",
  path: "/internal/markers/batch",
  body: z.object({ markers: z.array(markerMove).check(z.minLength(1), z.maxLength(BATCH_MAX_MESSAGES)) }),
  answer: z.object({ results: z.array(markerResult) }),
});

/**
 * Messages stored for any of these users from `since` on, up to `until` where it is given: what an instance missed. It may
 * say how many of them it knows of, by user: then only messages of users for whom more were stored are answered.
 */
export const listRecentMessages = endpoint({
  method: "POST",
  path: "/internal/messages/recent",
  body: z.object({
    user_ids: z.array(id).check(z.maxLength(500)),
    since: isoTime,
    until: z.optional(isoTime),
    known: z.optional(z.record(id, z.int())),
  }),
  answer: z.object({ messages: z.array(message) }),
});
