import { previewIn } from "@messageoh/contracts/linkPreviews";
import type { Message } from "@messageoh/contracts/messages";
import type { PendingMessageChange } from "./pendingChange.ts";

/** Returns the message as it will be when the server has stored the user's changes. */
export const withPending = (message: Message, changes: readonly PendingMessageChange[], friendId: string): Message =>
  changes.reduce((state, change) => applied(state, change, friendId), message);

function applied(message: Message, change: PendingMessageChange, friendId: string): Message {
  // Whether a message is hidden or starred is no part of it: see state/thread/privateMarks.ts.
  if (message.deleted_at !== undefined || change.kind === "hide" || change.kind === "star") return message;
  const at = new Date(change.queued_at).toISOString();
  if (change.kind === "delete")
    return { ...message, text: "deleted", deleted_at: at, reactions: [], pinned: undefined };
  if (change.kind === "edit") {
    const preview = previewIn(change.text, message.preview);
    return { ...message, text: change.text, preview, edited_at: at, edit_count: (message.edit_count ?? 0) + 1 };
  }
  const { sending_user_id, recipient_user_id, reactions = [] } = message;
  const user_id = sending_user_id === friendId ? recipient_user_id : sending_user_id;
  if (change.kind === "pin") return { ...message, pinned: change.pinned ? { by: user_id, at } : undefined };
  const others = reactions.filter((reaction) => reaction.user_id !== user_id);
  return { ...message, reactions: change.emoji === null ? others : [...others, { user_id, emoji: change.emoji }] };
}
