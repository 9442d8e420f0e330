import * as z from "zod/mini";
import { emoji, id, messageText, queryNumber, seq } from "../rules/fields.ts";
import { endpoint } from "./endpoint.ts";
import { message, messageVersion } from "./messages.ts";

// Changes of a stored message. Each one takes the next change number of its thread, which the message keeps until its next
// change. A message keeps its own number for ever. Every call is idempotent and responds with the newest state of the message:
// 403 if the user may not, 404 if the message does not exist, and 409 with the message if it was changed or deleted meanwhile.

const params = z.object({ user_id: id, thread_id: id, seq: queryNumber(1, Number.MAX_SAFE_INTEGER) });
const path = "/messages/:user_id/:thread_id/:seq";

/**
 * Replaces the text of the user's own message. Up to {@link EDIT_MAX_HOURS} after it was sent and {@link EDITS_MAX} times; the
 * same text is no edit. `base` is the `edit_count` of the message that the user edits: a different one means that another
 * device was faster. `op_id` recognises an edit whose response was lost.
 */
export const editMessage = endpoint({
  method: "PUT",
  path,
  params,
  body: z.object({ text: messageText, op_id: id, base: z.int().check(z.nonnegative()) }),
  response: message,
});

/** Deletes the user's own message for both, at any time. It keeps its number, and its text becomes "deleted". */
export const deleteMessage = endpoint({ method: "DELETE", path, params, response: message });

/** Sets or removes (`null`) the user's reaction to a message of either member. */
export const reactToMessage = endpoint({
  method: "PUT",
  path: `${path}/reaction`,
  params,
  body: z.object({ emoji: z.nullable(emoji) }),
  response: message,
});

/** Schema of whether a user has hidden a message. */
export const hiddenMessage = z.object({ thread_id: id, seq, hidden: z.boolean() });
export type HiddenMessage = z.infer<typeof hiddenMessage>;

/**
 * Hides a message of either member from the user, or shows it again. It is no change of the message: nobody else learns of it,
 * and it has no change number. 409 if the user has hidden {@link HIDDEN_MAX} messages of the thread.
 */
export const hideMessage = endpoint({
  method: "PUT",
  path: `${path}/hidden`,
  params,
  body: z.object({ hidden: z.boolean() }),
  response: hiddenMessage,
});

/** Lists all texts of a message, oldest first, with the current one. Empty for a deleted message. */
export const listEdits = endpoint({
  method: "GET",
  path: `${path}/edits`,
  params,
  response: z.array(messageVersion),
});
