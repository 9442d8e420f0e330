import * as v from "valibot";
import { draftText, emoji, id, int, messageText, seq, wholeNumber } from "../rules/fields.ts";
import { PAGE_MAX_MESSAGES } from "../rules/limits.ts";
import { endpoint } from "./endpoint.ts";
import { draft, message, messageVersion } from "./messages.ts";

// Changes of a stored message. Each one takes the next change number of its thread, which the message keeps until its
// next change. A message keeps its own number for ever. Every call is idempotent and responds with the newest state of
// the message: 403 if the user may not, 404 if the message does not exist, and 409 with the message if it was changed
// or deleted meanwhile.

const params = v.object({ user_id: id, thread_id: id, seq: wholeNumber(1) });
const path = "/messages/:user_id/:thread_id/:seq";

/**
 * Replaces the text of the user's own message. Up to {@link EDIT_MAX_HOURS} after it was sent and {@link EDITS_MAX}
 * times; the same text is no edit. `base` is the `edit_count` of the message that the user edits: a different one means
 * that another device was faster. `op_id` recognises an edit whose response was lost.
 */
export const editMessage = endpoint({
  method: "PUT",
  path,
  params,
  body: v.object({ text: messageText, op_id: id, base: v.pipe(int, v.minValue(0)) }),
  response: message,
});

/** Deletes the user's own message for both, at any time. It keeps its number, and its text becomes "deleted". */
export const deleteMessage = endpoint({ method: "DELETE", path, params, response: message });

/** Sets or removes (`null`) the user's reaction to a message of either member. */
export const reactToMessage = endpoint({
  method: "PUT",
  path: `${path}/reaction`,
  params,
  body: v.object({ emoji: v.nullable(emoji) }),
  response: message,
});

/** Pins a message of either member for both, or unpins it. 409 if the thread has {@link PINNED_MAX} others. */
export const pinMessage = endpoint({
  method: "PUT",
  path: `${path}/pin`,
  params,
  body: v.object({ pinned: v.boolean() }),
  response: message,
});

/** Schema of whether a user has hidden a message. */
export const hiddenMessage = v.object({ thread_id: id, seq, hidden: v.boolean() });
export type HiddenMessage = v.InferOutput<typeof hiddenMessage>;

/**
 * Hides a message of either member from the user, or shows it again. It is no change of the message: nobody else learns
 * of it, and it has no change number. 409 if the user has hidden {@link HIDDEN_MAX} messages of the thread.
 */
export const hideMessage = endpoint({
  method: "PUT",
  path: `${path}/hidden`,
  params,
  body: v.object({ hidden: v.boolean() }),
  response: hiddenMessage,
});

/** Lists all texts of a message, oldest first, with the current one. Empty for a deleted message. */
export const listEdits = endpoint({
  method: "GET",
  path: `${path}/edits`,
  params,
  response: v.array(messageVersion),
});

/** Schema of whether a user has starred a message. */
export const starredMessage = v.object({ thread_id: id, seq, starred: v.boolean() });
export type StarredMessage = v.InferOutput<typeof starredMessage>;

/**
 * Stars a message of either member for the user, or removes the star. Like hiding, it is no change of the message. 409
 * if the user has starred {@link STARRED_MAX} messages.
 */
export const starMessage = endpoint({
  method: "PUT",
  path: `${path}/star`,
  params,
  body: v.object({ starred: v.boolean() }),
  response: starredMessage,
});

/**
 * Lists a page of the messages that the user has starred, newest first: those older than the message with the id
 * `before_id`.
 */
export const listStarred = endpoint({
  method: "GET",
  path: "/starred/:user_id",
  params: v.object({ user_id: id }),
  query: v.object({ before_id: v.optional(id), limit: v.optional(wholeNumber(1, PAGE_MAX_MESSAGES)) }),
  response: v.array(message),
});

/** Schema of a saved draft. */
export const savedDraft = v.object({ thread_id: id, draft });
export type SavedDraft = v.InferOutput<typeof savedDraft>;

/**
 * Saves what the user has not sent yet, for all devices. The last call wins. An empty text removes the draft. 409 if
 * the drafts of all threads would be larger than 1 MB.
 */
export const saveDraft = endpoint({
  method: "PUT",
  path: "/drafts/:user_id/:thread_id",
  params: v.object({ user_id: id, thread_id: id }),
  body: v.object({ text: draftText }),
  response: savedDraft,
});
