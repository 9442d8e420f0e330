import { type Attachment, attachment } from "@messageoh/contracts/attachments";
import { linkPreview } from "@messageoh/contracts/linkPreviews";
import { forwardOf } from "@messageoh/contracts/messages";
import * as z from "zod/mini";

/** A file of an unsent message. Its bytes are in the file store under its key. */
const queuedFile = z.object({
  key: z.string(),
  name: z.string(),
  bytes: z.number(),
  type: z.string(),
  // What the browser knows of it, see `attachment`.
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  thumbhash: z.optional(z.string()),
  seconds: z.optional(z.number()),
  wave: z.optional(z.string()),
  /** Address of its upload, once that has begun. */
  url: z.optional(z.string()),
  /** What the server made of it. It can be sent then. */
  attachment: z.optional(attachment),
});

export type QueuedFile = z.infer<typeof queuedFile>;

/** Unsent message as stored in the browser. */
export const queuedMessage = z.object({
  client_id: z.string(),
  thread_id: z.string(),
  recipient_user_id: z.string(),
  /** The caption if it has files; it may be empty then. */
  text: z.string(),
  files: z.optional(z.array(queuedFile)),
  /** Number of the message that this one replies to. */
  reply_to: z.optional(z.number()),
  /** Preview of a link in the text. */
  preview: z.optional(linkPreview),
  /** Message that this one forwards: the server copies its text, its attachments and its link preview. */
  forward_of: z.optional(forwardOf),
  /** Number of times that the copy counts as forwarded, and its attachments: shown until the server has stored it. */
  forwarded: z.optional(z.number()),
  attachments: z.optional(z.array(attachment)),
  /** ISO. */
  timestamp: z.string(),
  /** Time of writing or of the last retry in ms. It defines the order of the queue and starts the deadline. */
  queued_at: z.number(),
  /** `uploading`: it waits for its files and holds no other message back. */
  state: z.enum(["uploading", "sending", "not-sent"]),
  /** No attempt to send it has begun, in any tab. Without this mark, the server may have stored it. */
  is_untried: z.optional(z.literal(true)),
  /** Reason of the server for refusing the message. */
  reason: z.optional(z.string()),
  /** The server has recorded the refusal, so the same client id stays refused. */
  is_recorded: z.optional(z.literal(true)),
});

export type QueuedMessage = z.infer<typeof queuedMessage>;

/** Returns the attachments of a message whose files are all ready. */
export const readyAttachments = ({ files = [] }: QueuedMessage): Attachment[] =>
  files.flatMap((file) => file.attachment ?? []);
