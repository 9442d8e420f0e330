import * as z from "zod/mini";
import { id, isoTime, messageText, seq } from "./fields.ts";
import { type Message, message } from "./messages.ts";
import { type User, user } from "./users.ts";

/** Payloads of the events that clients send, by event name. Every one is parsed with its schema before anything else. */
export const clientEvents = {
  join_add_friend_room: z.object({ current_user_id: id }),
  join_room: z.object({ sending_user_id: id, recipient_user_id: id }),
  send_message: z.object({
    thread_id: id,
    sending_user_id: id,
    recipient_user_id: id,
    text: messageText,
    timestamp: z.optional(isoTime),
    read: z.optional(z.boolean()),
    client_id: z.optional(z.uuid("client_id must be a UUID")),
  }),
  /** What the client claims of itself and of the thread is not used: the server sends what it knows. */
  add_friend: z.object({
    current_user: z.optional(z.unknown()),
    new_friend_id: id,
    message_thread: z.optional(z.unknown()),
  }),
  /** One of the user's browsers has everything of this thread up to `seq`. */
  message_delivered: z.object({ thread_id: id, seq }),
  typing: z.object({ thread_id: id, is_typing: z.boolean() }),
};
export type ClientEventName = keyof typeof clientEvents;
export type ClientPayload<Name extends ClientEventName> = z.input<(typeof clientEvents)[Name]>;

/** A thread as the receiver of `received_add_new_friend` builds it: one empty starting message. */
export const messageThread = z.object({
  thread_id: id,
  threadId: id,
  friendParticipantId: id,
  messages: z.array(message),
});
export type MessageThread = z.infer<typeof messageThread>;

const markerMoved = z.object({ thread_id: id, user_id: id, seq });

/** Payloads of the events that servers send, by event name. */
export const serverEvents = {
  receive_message: message,
  received_add_new_friend: z.object({ current_user: user, message_thread: messageThread }),
  message_read: markerMoved,
  message_delivered: markerMoved,
  user_updated: z.object({ user }),
  typing: z.object({ thread_id: id, user_id: id, is_typing: z.boolean() }),
  presence: z.object({ user_id: id, is_online: z.boolean() }),
  /** Something may have been missed: compare with `GET /threads` after a random part of `within_ms`. */
  resync: z.object({ within_ms: z.int() }),
  /** The instance is going away: reconnect (to another) after a random part of `within_ms`. */
  server_draining: z.object({ within_ms: z.int() }),
  /** Whether the server now stores or delivers late. Sent on a change, and on connecting when it is so. */
  service_state: z.object({ is_degraded: z.boolean() }),
  /** This session was ended; the socket closes next. */
  session_ended: z.object({}),
};
export type ServerEventName = keyof typeof serverEvents;
export type ServerPayload<Name extends ServerEventName> = z.output<(typeof serverEvents)[Name]>;

/** Answer to an event. A retryable error asks the client to keep the message and send it again with the same id. */
export const failedAck = z.object({ error: z.string(), is_retryable: z.boolean() });
export type FailedAck = z.infer<typeof failedAck>;
export const sendAck = z.union([z.object({ message }), failedAck]);
export type SendAck = z.infer<typeof sendAck>;
export const plainAck = z.union([failedAck, z.object({})]);
export type PlainAck = z.infer<typeof plainAck>;

type AckOf<Name extends ClientEventName> = Name extends "send_message" ? SendAck : PlainAck;

/** Both event maps as Socket.IO types them; acks are optional for a client that knows only the specification. */
export type ClientToServerEvents = {
  [Name in ClientEventName]: (payload: ClientPayload<Name>, ack?: (answer: AckOf<Name>) => void) => void;
};
export type ServerToClientEvents = {
  [Name in ServerEventName]: (payload: ServerPayload<Name>) => void;
};

/** The thread that a new friendship begins, as `friend` has it on screen. */
export function newMessageThread(starting: Message, friendParticipant: User): MessageThread {
  return {
    thread_id: starting.thread_id,
    threadId: starting.thread_id,
    friendParticipantId: friendParticipant.id,
    messages: [starting],
  };
}
