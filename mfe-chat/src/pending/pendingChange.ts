import type { HiddenMessage, SavedDraft, StarredMessage } from "@messageoh/contracts/changes";
import type { Message } from "@messageoh/contracts/messages";
import * as v from "valibot";

const ofThread = {
  /** Key of the change in the storage. The server recognises a repeated edit by it. */
  op_id: v.string(),
  thread_id: v.string(),
  /** Time of the change in ms. It defines the order of the queue. */
  queued_at: v.number(),
};
const ofMessage = { ...ofThread, seq: v.number() };

/** Change of a stored message or of a draft that the server has not confirmed, as stored in the browser. */
export const pendingChange = v.union([
  v.object({
    ...ofMessage,
    kind: v.literal("edit"),
    text: v.string(),
    base: v.number(),
    /** It was never sent, so the server cannot have it. */
    is_untried: v.optional(v.literal(true)),
  }),
  v.object({ ...ofMessage, kind: v.literal("delete") }),
  v.object({ ...ofMessage, kind: v.literal("react"), emoji: v.nullable(v.string()) }),
  v.object({ ...ofMessage, kind: v.literal("pin"), pinned: v.boolean() }),
  v.object({ ...ofMessage, kind: v.literal("hide"), hidden: v.boolean() }),
  v.object({ ...ofMessage, kind: v.literal("star"), starred: v.boolean() }),
  v.object({ ...ofThread, kind: v.literal("draft"), text: v.string() }),
]);

export type PendingChange = v.InferOutput<typeof pendingChange>;
/** What the server has stored after a change: the message, what the user has set for it, or the draft. */
export type Stored = Message | HiddenMessage | StarredMessage | SavedDraft;

/** Change of a stored message. */
export type PendingMessageChange = Exclude<PendingChange, { kind: "draft" }>;

export const isOfMessage = (change: PendingChange): change is PendingMessageChange => change.kind !== "draft";

type WithoutQueue<Change> = Change extends unknown ? Omit<Change, "op_id" | "queued_at" | "is_untried"> : never;

/** A change as the user makes it. */
export type NewChange = WithoutQueue<PendingChange>;
