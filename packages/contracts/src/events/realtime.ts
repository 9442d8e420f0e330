import * as z from "zod/mini";
import { hiddenMessage, savedDraft, starredMessage } from "../http/changes.ts";
import { forwardOf, type Message, message } from "../http/messages.ts";
import { type User, user } from "../http/users.ts";
import { attachmentIds } from "../rules/attachments.ts";
import { atMost, id, isoTime, messageText, seq } from "../rules/fields.ts";

const NO_UUID = "client_id must be a UUID";
/** Schemas of the payloads of client events, by event name. svc-realtime parses each payload before it handles the event. */
export const clientEvents = {
  join_add_friend_room: z.object({ current_user_id: id }),
  join_room: z.object({ sending_user_id: id, recipient_user_id: id }),
  send_message: z.object({
    thread_id: id,
    sending_user_id: id,
    recipient_user_id: id,
    text: messageText,
    /** Number of the message in the thread that this one replies to. */
    reply_to: z.optional(seq.check(z.positive())),
    /** Ids of the sender's uploads for this thread; see http/media.ts. */
    attachments: z.optional(attachmentIds),
    /** Id of a link preview that the sender got for this thread. The message has it if the text contains the link. */
    preview: z.optional(id),
    /** The message gets the text, the attachments and the link preview of this one, whatever those fields contain. */
    forward_of: z.optional(forwardOf),
    timestamp: z.optional(isoTime),
    read: z.optional(z.boolean()),
    client_id: z.optional(z.string(NO_UUID).check(atMost(36, NO_UUID), z.uuid(NO_UUID))),
  }),
  /** The server ignores `current_user` and `message_thread`, and sends its own data instead. */
  add_friend: z.object({
    current_user: z.optional(z.unknown()),
    new_friend_id: id,
    message_thread: z.optional(z.unknown()),
  }),
  /** One of the user's browsers has received all messages of this thread up to `seq`. */
  message_delivered: z.object({ thread_id: id, seq }),
  typing: z.object({ thread_id: id, is_typing: z.boolean() }),
};
export type ClientEventName = keyof typeof clientEvents;
export type ClientPayload<Name extends ClientEventName> = z.input<(typeof clientEvents)[Name]>;

/** Schema of a new thread in `received_add_new_friend`, with its empty starting message. */
export const messageThread = z.object({
  thread_id: id,
  threadId: id,
  friendParticipantId: id,
  messages: z.array(message),
});
export type MessageThread = z.infer<typeof messageThread>;

const markerMoved = z.object({ thread_id: id, user_id: id, seq });

/** Schemas of the payloads of server events, by event name. */
export const serverEvents = {
  receive_message: message,
  /** A message was edited or deleted, or a reaction to it changed. The event carries its newest state. */
  message_changed: z.object({ message }),
  /** The user has hidden a message on any device, or shows it again. Only the user gets this event. */
  message_hidden: hiddenMessage,
  /** The user has starred a message on any device, or removed the star. Only the user gets this event. */
  message_starred: starredMessage,
  /** The user has saved a draft on any device. Only the user gets this event. */
  draft_saved: savedDraft,
  received_add_new_friend: z.object({ current_user: user, message_thread: messageThread }),
  message_read: markerMoved,
  message_delivered: markerMoved,
  user_updated: z.object({ user }),
  /** The two are no longer friends: the friend and the thread leave the list. */
  friend_removed: z.object({ user_id: id, thread_id: id }),
  /** The user has muted this friend or answered a notice, on any device. */
  friend_changed: z.object({ user_id: id, is_muted: z.boolean(), has_notice: z.boolean() }),
  typing: z.object({ thread_id: id, user_id: id, is_typing: z.boolean() }),
  /** `last_seen_at` is the time of a friend's last departure, if it is known. */
  presence: z.object({ user_id: id, is_online: z.boolean(), last_seen_at: z.optional(isoTime) }),
  /** The client may have missed events. It compares its state with `GET /threads` after a random delay of up to `within_ms`. */
  resync: z.object({ within_ms: z.int() }),
  /** The instance shuts down. The client reconnects to another one after a random delay of up to `within_ms`. */
  server_draining: z.object({ within_ms: z.int() }),
  /** Whether storage or delivery is delayed. Sent on each change, and to a new connection if it is delayed. */
  service_state: z.object({
    is_degraded: z.boolean(),
    /** Time between two requests of `GET /threads` while it is delayed, in milliseconds. It grows with the number of clients. */
    poll_ms: z.optional(z.int()),
  }),
  /** The session has ended. The server closes the socket next. */
  session_ended: z.object({}),
};
export type ServerEventName = keyof typeof serverEvents;
export type ServerPayload<Name extends ServerEventName> = z.output<(typeof serverEvents)[Name]>;

/**
 * Schema of the ack of a failed event. If it is retryable, the client sends the message again with the same `client_id`. If
 * the refusal is recorded, no attempt stores a message under this `client_id`, so a retry by the user needs a new one; in
 * all other cases an earlier attempt may have stored it, so a retry keeps the id.
 */
export const failedAck = z.object({
  error: z.string(),
  is_retryable: z.boolean(),
  is_recorded: z.optional(z.boolean()),
});
export type FailedAck = z.infer<typeof failedAck>;
/** Schema of the ack of `send_message`. */
export const sendAck = z.union([z.object({ message }), failedAck]);
export type SendAck = z.infer<typeof sendAck>;
/** Schema of the ack of all other events. */
export const plainAck = z.union([failedAck, z.object({})]);
export type PlainAck = z.infer<typeof plainAck>;

type AckOf<Name extends ClientEventName> = Name extends "send_message" ? SendAck : PlainAck;

/** Client events as Socket.IO types them. Acks are optional, because the specification does not require them. */
export type ClientToServerEvents = {
  [Name in ClientEventName]: (payload: ClientPayload<Name>, ack?: (response: AckOf<Name>) => void) => void;
};
/** Server events as Socket.IO types them. */
export type ServerToClientEvents = {
  [Name in ServerEventName]: (payload: ServerPayload<Name>) => void;
};

/**
 * Returns the thread of a new friendship for `received_add_new_friend`.
 * @param friendParticipant the other member, as the receiver sees it
 */
export function newMessageThread(starting: Message, friendParticipant: User): MessageThread {
  return {
    thread_id: starting.thread_id,
    threadId: starting.thread_id,
    friendParticipantId: friendParticipant.id,
    messages: [starting],
  };
}
