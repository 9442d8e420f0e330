import * as z from "zod/mini";

/** Unsent message as stored in the browser. */
export const queuedMessage = z.object({
  client_id: z.string(),
  thread_id: z.string(),
  recipient_user_id: z.string(),
  text: z.string(),
  /** Number of the message that this one replies to. */
  reply_to: z.optional(z.number()),
  /** ISO. */
  timestamp: z.string(),
  /** Time of writing or of the last retry in ms. It defines the order of the queue and starts the deadline. */
  queued_at: z.number(),
  state: z.enum(["sending", "not-sent"]),
  /** No attempt to send it has begun, in any tab. Without this mark, the server may have stored it. */
  is_untried: z.optional(z.literal(true)),
  /** Reason of the server for refusing the message. */
  reason: z.optional(z.string()),
  /** The server has recorded the refusal, so the same client id stays refused. */
  is_recorded: z.optional(z.literal(true)),
});

export type QueuedMessage = z.infer<typeof queuedMessage>;
