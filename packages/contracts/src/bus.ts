import * as z from "zod/mini";
import { id } from "./fields.ts";
import { type Message, marker } from "./messages.ts";
import { messageThread } from "./realtime.ts";
import { user } from "./users.ts";

/**
 * Events on Redis pub/sub, between services. One channel per concerned user: an instance listens to a user's channel
 * while it holds one of that user's sockets, so its work does not grow with the number of instances.
 */
export const userChannel = (userId: string) => `user:${userId}`;

/** The channel that every instance listens to: sessions that ended. */
export const SESSIONS_CHANNEL = "sessions";

const request_id = z.string();

/** What happens to a user besides messages, as JSON. */
export const userEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("marker"), marker, request_id }),
  z.object({ type: z.literal("friend_added"), friend: user, message_thread: messageThread, request_id }),
  z.object({ type: z.literal("user_updated"), user, request_id }),
]);
export type UserEvent = z.infer<typeof userEvent>;

/** A stored message on a user's channel. */
export interface MessageItem {
  message: Message;
  /** Whether an earlier event may have carried it: the message was stored before and sent again. */
  is_repeat: boolean;
  /** Id of the sending socket, which gets the ack instead of the event. */
  origin: string;
  request_id: string;
  /** The spans that sent it and that stored its batch, if its trace is recorded. */
  traced?: { traceparent?: string | undefined }[] | undefined;
}

/** Messages on a user's channel, in the order of their numbers within each thread. */
export interface MessagesEvent {
  type: "messages";
  /** Unix time in milliseconds. */
  published_at: number;
  items: MessageItem[];
}

/**
 * Parses an event of a user's channel. Messages are trusted as svc-messages wrote them; other events are validated.
 * @throws SyntaxError or ZodError if the text is no such event
 */
export function parseUserEvent(text: string): MessagesEvent | UserEvent {
  const event: unknown = JSON.parse(text);
  return (event as { type?: unknown } | null)?.type === "messages" ? (event as MessagesEvent) : userEvent.parse(event);
}

export const sessionEvent = z.object({ type: z.literal("session_ended"), session_id: id, user_id: id, request_id });
export type SessionEvent = z.infer<typeof sessionEvent>;
