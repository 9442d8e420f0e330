import type { HiddenMessage, SavedDraft, StarredMessage } from "@messageoh/contracts/changes";
import type { Message } from "@messageoh/contracts/messages";
import * as z from "zod/mini";

const ofThread = {
  /** Recognises the change in the storage, and an edit also at the server. */
  op_id: z.string(),
  thread_id: z.string(),
  /** Time of the change in ms. It defines the order of the queue. */
  queued_at: z.number(),
};
const ofMessage = { ...ofThread, seq: z.number() };

/** Change of a stored message or of a draft that the server has not confirmed, as stored in the browser. */
export const pendingChange = z.union([
  z.object({ ...ofMessage, kind: z.literal("edit"), text: z.string(), base: z.number() }),
  z.object({ ...ofMessage, kind: z.literal("delete") }),
  z.object({ ...ofMessage, kind: z.literal("react"), emoji: z.nullable(z.string()) }),
  z.object({ ...ofMessage, kind: z.literal("pin"), pinned: z.boolean() }),
  z.object({ ...ofMessage, kind: z.literal("hide"), hidden: z.boolean() }),
  z.object({ ...ofMessage, kind: z.literal("star"), starred: z.boolean() }),
  z.object({ ...ofThread, kind: z.literal("draft"), text: z.string() }),
]);

export type PendingChange = z.infer<typeof pendingChange>;
/** What the server has stored after a change: the message, what the user has set for it, or the draft. */
export type Stored = Message | HiddenMessage | StarredMessage | SavedDraft;

/** Change of a stored message. */
export type PendingMessageChange = Exclude<PendingChange, { kind: "draft" }>;

export const isOfMessage = (change: PendingChange): change is PendingMessageChange => change.kind !== "draft";

type WithoutQueue<Change> = Change extends unknown ? Omit<Change, "op_id" | "queued_at"> : never;

/** A change as the user makes it. */
export type NewChange = WithoutQueue<PendingChange>;
