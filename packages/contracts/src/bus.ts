import * as z from "zod/mini";
import { id } from "./fields.ts";
import { marker } from "./messages.ts";
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

/** A stored message on a user's channel: what its delivery needs, and the message for the socket, serialised once. */
export interface MessageItem {
  id: string;
  /** The channel's user sent it, and learns of it for their other sockets. */
  is_own: boolean;
  /** It was stored and published before, but nobody knows whether that event got through. */
  is_repeat: boolean;
  /** The socket that sent it, which is not told again. */
  origin: string;
  request_id: string;
  /** The step that published it, where its trace is recorded. */
  traceparent?: string;
  /** The message as JSON. */
  json: string;
}

/** Messages on a user's channel, in the order of their numbers. */
export interface MessagesEvent {
  /** In milliseconds, to see how long events take. */
  published_at: number;
  items: MessageItem[];
}

const MESSAGES = "messages ";

/**
 * Writes messages for a user's channel. They are most of what crosses the bus, and each instance concerned reads them: so
 * they are lines, for each message a header and the message, and nobody parses what goes to a socket as it is.
 */
export const encodeMessages = ({ published_at, items }: MessagesEvent): string =>
  [`${MESSAGES}${published_at}`, ...items.map(encodeMessage)].join("\n");

const REPEAT = 1;
const OWN = 2;

function encodeMessage({ id, is_own, is_repeat, origin, traceparent = "", request_id, json }: MessageItem): string {
  const flags = (is_repeat ? REPEAT : 0) + (is_own ? OWN : 0);
  return `${id} ${flags} ${origin} ${traceparent} ${request_id}\n${json}`;
}

/** Reads what {@link encodeMessages} wrote; null when it is another event. */
export function decodeMessages(text: string): MessagesEvent | null {
  if (!text.startsWith(MESSAGES)) return null;
  const lines = text.split("\n");
  const items: MessageItem[] = [];
  for (let line = 1; line + 1 < lines.length; line += 2) {
    items.push(decodeMessage(lines[line] as string, lines[line + 1] as string));
  }
  return { published_at: Number((lines[0] as string).slice(MESSAGES.length)), items };
}

function decodeMessage(header: string, json: string): MessageItem {
  const [id = "", bits, origin = "", traceparent, ...words] = header.split(" ");
  const flags = Number(bits);
  const request_id = words.join(" ");
  const item = { id, is_own: (flags & OWN) !== 0, is_repeat: (flags & REPEAT) !== 0, origin, request_id, json };
  return traceparent ? { ...item, traceparent } : item;
}

export const sessionEvent = z.object({ type: z.literal("session_ended"), session_id: id, user_id: id, request_id });
export type SessionEvent = z.infer<typeof sessionEvent>;
