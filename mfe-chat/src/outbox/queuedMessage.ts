import { type Attachment, attachment } from "@messageoh/contracts/attachments";
import { linkPreview } from "@messageoh/contracts/linkPreviews";
import { forwardOf } from "@messageoh/contracts/messages";
import * as v from "valibot";

/** A file of an unsent message. Its bytes are in the file store under its key. */
const queuedFile = v.object({
  key: v.string(),
  /**
   * Key of what the user chose, until it is known what is sent of it: a picture loses its metadata. There are no bytes
   * under `key` until then, so that no tab can upload them, also not one of an earlier release.
   */
  original: v.optional(v.string()),
  name: v.string(),
  bytes: v.number(),
  type: v.string(),
  // What the browser knows of it, see `attachment`.
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  thumbhash: v.optional(v.string()),
  seconds: v.optional(v.number()),
  wave: v.optional(v.string()),
  /** Address of its upload, once that has begun. */
  url: v.optional(v.string()),
  /** What the server made of it. It can be sent then. */
  attachment: v.optional(attachment),
});

export type QueuedFile = v.InferOutput<typeof queuedFile>;

/** Unsent message as stored in the browser. */
export const queuedMessage = v.object({
  client_id: v.string(),
  thread_id: v.string(),
  recipient_user_id: v.string(),
  /** The caption if it has files; it may be empty then. */
  text: v.string(),
  files: v.optional(v.array(queuedFile)),
  /** Number of the message that this one replies to. */
  reply_to: v.optional(v.number()),
  /** Preview of a link in the text. */
  preview: v.optional(linkPreview),
  /** Message that this one forwards: the server copies its text, its attachments and its link preview. */
  forward_of: v.optional(forwardOf),
  /** Number of times that the copy counts as forwarded, and its attachments: shown until the server has stored it. */
  forwarded: v.optional(v.number()),
  attachments: v.optional(v.array(attachment)),
  /** ISO. */
  timestamp: v.string(),
  /** Time of writing or of the last retry in ms. It defines the order of the queue and starts the deadline. */
  queued_at: v.number(),
  /** `uploading`: it waits for its files and holds no other message back. */
  state: v.picklist(["uploading", "sending", "not-sent"]),
  /** No attempt to send it has begun, in any tab. Without this mark, the server may have stored it. */
  is_untried: v.optional(v.literal(true)),
  /** Reason of the server for refusing the message. */
  reason: v.optional(v.string()),
  /** The server has recorded the refusal, so the same client id stays refused. */
  is_recorded: v.optional(v.literal(true)),
});

export type QueuedMessage = v.InferOutput<typeof queuedMessage>;

/** Returns the attachments of a message whose files are all ready. */
export const readyAttachments = ({ files = [] }: QueuedMessage): Attachment[] =>
  files.flatMap((file) => file.attachment ?? []);
