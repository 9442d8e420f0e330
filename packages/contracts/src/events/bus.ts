import * as v from "valibot";
import { hiddenMessage, savedDraft, starredMessage } from "../http/changes.ts";
import { type Message, message } from "../http/messages.ts";
import { user } from "../http/users.ts";
import { marker } from "../internal/messages.ts";
import type { AccessChange } from "../internal/users.ts";
import { id } from "../rules/fields.ts";
import { parse } from "../rules/parse.ts";
import { messageThread } from "./realtime.ts";

/**
 * Returns the Redis pub/sub channel of a user. An instance of svc-realtime subscribes to it while it holds one of the
 * user's sockets, so the load of an instance does not grow with the number of instances.
 */
export const userChannel = (userId: string) => `user:${userId}`;

/** Returns the channel to which only this instance of svc-realtime subscribes, before it subscribes to any user's. */
export const instanceChannel = (instance: string) => `instance:${instance}`;

/** Channel of the {@link AccessEvent}s about sessions. Every instance of every service subscribes to it. */
export const SESSIONS_CHANNEL = "sessions";

/** Channel of the {@link AccessEvent}s about friendships, to which the same instances subscribe. */
export const FRIENDSHIPS_CHANNEL = "friendships";

const request_id = v.string();

/** Schema of the events on a user's channel other than messages, sent as JSON. */
export const userEvent = v.variant("type", [
  v.object({ type: v.literal("marker"), marker, request_id }),
  v.object({ type: v.literal("message_changed"), message, request_id }),
  v.object({ type: v.literal("message_hidden"), ...hiddenMessage.entries, request_id }),
  v.object({ type: v.literal("message_starred"), ...starredMessage.entries, request_id }),
  v.object({ type: v.literal("draft_saved"), ...savedDraft.entries, request_id }),
  v.object({ type: v.literal("friend_added"), friend: user, message_thread: messageThread, request_id }),
  v.object({ type: v.literal("user_updated"), user, request_id }),
  v.object({
    type: v.literal("friend_changed"),
    friend_id: id,
    is_muted: v.boolean(),
    has_notice: v.boolean(),
    request_id,
  }),
]);
export type UserEvent = v.InferOutput<typeof userEvent>;

/** One stored message in a {@link MessagesEvent}. */
export interface MessageItem {
  message: Message;
  /** Whether an earlier event may have carried this message, because the client sent it again. */
  is_repeat: boolean;
  /**
   * Id of the message before this one in the thread, if it is known. An instance that has not got that message looks it
   * up before it releases this one.
   */
  previous_id?: string | undefined;
  /** Id of the sending socket, which gets an ack instead of this event. */
  origin: string;
  /** The sending instance, which gets the result instead of this event. */
  instance?: string | undefined;
  request_id: string;
  /** The spans that sent the message and stored its batch, if the trace is recorded. */
  traced?: { traceparent?: string | undefined }[] | undefined;
}

/** Messages on a user's channel, ordered by `seq` within each thread. */
export interface MessagesEvent {
  type: "messages";
  /** Unix time in milliseconds, for svc-realtime of the previous release. */
  published_at?: number;
  items: MessageItem[];
}

/**
 * Returns the event that was published on a user's channel. Messages are not validated, because svc-messages is trusted
 * and they are frequent.
 * @param text the published JSON
 * @throws SyntaxError if `text` is not JSON, InvalidValue if it is not a valid event
 */
export function parseUserEvent(text: string): MessagesEvent | UserEvent {
  const event: unknown = JSON.parse(text);
  return (event as { type?: unknown } | null)?.type === "messages" ? (event as MessagesEvent) : parse(userEvent, event);
}

/** Tells other services of a change at once, as JSON. */
export type AccessEvent = AccessChange & { request_id: string };
