import * as z from "zod/mini";
import { id } from "./fields.ts";
import { marker, message } from "./messages.ts";
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

export const userEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("messages"),
    /**
     * In the order of their numbers. `origin` is the socket that sent it and is not told again. A repeat was stored and
     * published before, but nobody knows whether that event got through.
     */
    items: z.array(z.object({ message, is_repeat: z.boolean(), origin: z.string(), request_id })),
    /** In milliseconds, to see how long events take. */
    published_at: z.optional(z.number()),
  }),
  z.object({ type: z.literal("marker"), marker, request_id }),
  z.object({ type: z.literal("friend_added"), friend: user, message_thread: messageThread, request_id }),
  z.object({ type: z.literal("user_updated"), user, request_id }),
]);
export type UserEvent = z.infer<typeof userEvent>;

export const sessionEvent = z.object({ type: z.literal("session_ended"), session_id: id, user_id: id, request_id });
export type SessionEvent = z.infer<typeof sessionEvent>;
