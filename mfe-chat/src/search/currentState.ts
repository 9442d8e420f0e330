import type { Message } from "@messageoh/contracts/messages";
import type { ChatState } from "../state/chatState.ts";
import { isHidden } from "../state/thread/privateMarks.ts";
import { isNewer, messageAt } from "../state/thread/segments.ts";
import { pendingState } from "../state/thread/shownMessages.ts";
import type { Thread } from "../state/thread/thread.ts";

/**
 * Returns a message that a search has found, in its newest known state; `null` if it was deleted or hidden since.
 */
export function currentState(found: Message, threads: readonly Thread[]): Message | null {
  const thread = threads.find(({ threadId }) => threadId === found.thread_id);
  if (!thread) return found.deleted_at ? null : found;
  const known = messageAt(thread.segments, found.seq) ?? thread.early.find(({ seq }) => seq === found.seq);
  const message = pendingState(known && isNewer(known, found) ? known : found, thread);
  return message.deleted_at || isHidden(thread, found.seq) ? null : message;
}

/** Returns found messages in their newest known state, each with its thread and friend. */
export const withFriends = (found: readonly Message[], threads: readonly Thread[], friends: ChatState["friends"]) =>
  found.flatMap((one) => {
    const thread = threads.find(({ threadId }) => threadId === one.thread_id);
    const friend = thread && friends.get(thread.friendId);
    const message = currentState(one, threads);
    return friend && message ? [{ message, friend, thread }] : [];
  });
