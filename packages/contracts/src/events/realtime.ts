import * as v from "valibot";
import { hiddenMessage, savedDraft, starredMessage } from "../http/changes.ts";
import { forwardOf, type Message, message } from "../http/messages.ts";
import { type User, user } from "../http/users.ts";
import { attachmentIds } from "../rules/attachments.ts";
import { atMost, id, int, isoTime, messageText, seq } from "../rules/fields.ts";

const NO_UUID = "client_id must be a UUID";
/**
 * Schemas of the payloads of client events, by event name. svc-realtime parses each payload before it handles the
 * event.
 */
export const clientEvents = {
  join_add_friend_room: v.object({ current_user_id: id }),
  join_room: v.object({ sending_user_id: id, recipient_user_id: id }),
  send_message: v.object({
    thread_id: id,
    sending_user_id: id,
    recipient_user_id: id,
    text: messageText,
    /** Number of the message in the thread that this one replies to. */
    reply_to: v.optional(v.pipe(seq, v.minValue(1))),
    /** Ids of the sender's uploads for this thread; see http/media.ts. */
    attachments: v.optional(attachmentIds),
    /** Id of a link preview that the sender got for this thread. The message has it if the text contains the link. */
    preview: v.optional(id),
    /** The message gets the text, the attachments and the link preview of this one, whatever those fields contain. */
    forward_of: v.optional(forwardOf),
    timestamp: v.optional(isoTime),
    read: v.optional(v.boolean()),
    client_id: v.optional(v.pipe(v.string(NO_UUID), ...atMost(36, NO_UUID), v.uuid(NO_UUID))),
  }),
  /** The server ignores `current_user` and `message_thread`, and sends its own data instead. */
  add_friend: v.object({
    current_user: v.optional(v.unknown()),
    new_friend_id: id,
    message_thread: v.optional(v.unknown()),
  }),
  /** One of the user's browsers has received all messages of this thread up to `seq`. */
  message_delivered: v.object({ thread_id: id, seq }),
  typing: v.object({ thread_id: id, is_typing: v.boolean() }),
};
export type ClientEventName = keyof typeof clientEvents;
export type ClientPayload<Name extends ClientEventName> = v.InferInput<(typeof clientEvents)[Name]>;

/** Schema of a new thread in `received_add_new_friend`, with its empty starting message. */
export const messageThread = v.object({
  thread_id: id,
  threadId: id,
  friendParticipantId: id,
  messages: v.array(message),
});
export type MessageThread = v.InferOutput<typeof messageThread>;

const markerMoved = v.object({ thread_id: id, user_id: id, seq });

/** Schemas of the payloads of server events, by event name. */
export const serverEvents = {
  receive_message: message,
  /** A message was edited or deleted, or a reaction to it changed. The event carries its newest state. */
  message_changed: v.object({ message }),
  /** The user has hidden a message on any device, or shows it again. Only the user gets this event. */
  message_hidden: hiddenMessage,
  /** The user has starred a message on any device, or removed the star. Only the user gets this event. */
  message_starred: starredMessage,
  /** The user has saved a draft on any device. Only the user gets this event. */
  draft_saved: savedDraft,
  received_add_new_friend: v.object({ current_user: user, message_thread: messageThread }),
  message_read: markerMoved,
  message_delivered: markerMoved,
  user_updated: v.object({ user }),
  /** The two are no longer friends: the friend and the thread leave the list. */
  friend_removed: v.object({ user_id: id, thread_id: id }),
  /** The user has muted this friend or answered a notice, on any device. */
  friend_changed: v.object({ user_id: id, is_muted: v.boolean(), has_notice: v.boolean() }),
  typing: v.object({ thread_id: id, user_id: id, is_typing: v.boolean() }),
  /** `last_seen_at` is the time of a friend's last departure, if it is known. */
  presence: v.object({ user_id: id, is_online: v.boolean(), last_seen_at: v.optional(isoTime) }),
  /**
   * The client may have missed events. It compares its state with `GET /threads` after a random delay of up to
   * `within_ms`.
   */
  resync: v.object({ within_ms: int }),
  /** The instance shuts down. The client reconnects to another one after a random delay of up to `within_ms`. */
  server_draining: v.object({ within_ms: int }),
  /** Whether storage or delivery is delayed. Sent on each change, and to a new connection if it is delayed. */
  service_state: v.object({
    is_degraded: v.boolean(),
    /**
     * Time between two requests of `GET /threads` while it is delayed, in milliseconds. It grows with the number of
     * clients.
     */
    poll_ms: v.optional(int),
  }),
  /** The session has ended. The server closes the socket next. */
  session_ended: v.object({}),
};
export type ServerEventName = keyof typeof serverEvents;
export type ServerPayload<Name extends ServerEventName> = v.InferOutput<(typeof serverEvents)[Name]>;

/**
 * Schema of the ack of a failed event. If it is retryable, the client sends the message again with the same
 * `client_id`. If the refusal is recorded, no attempt stores a message under this `client_id`, so a retry by the user
 * needs a new one; in all other cases an earlier attempt may have stored it, so a retry keeps the id.
 */
export const failedAck = v.object({
  error: v.string(),
  is_retryable: v.boolean(),
  is_recorded: v.optional(v.boolean()),
});
export type FailedAck = v.InferOutput<typeof failedAck>;
/** Schema of the ack of `send_message`. */
export const sendAck = v.union([v.object({ message }), failedAck]);
export type SendAck = v.InferOutput<typeof sendAck>;

/** All other events are acked with an empty object. */
type AckOf<Name extends ClientEventName> = Name extends "send_message" ? SendAck : FailedAck | Record<never, never>;

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
