import { isDeleted } from "@messageoh/contracts/avatars";
import { type ChatState, openThreadOf } from "./chatState.ts";
import { orderTime } from "./thread/order.ts";
import type { Thread } from "./thread/thread.ts";
import { countUnread } from "./thread/unread.ts";

const sorted = new WeakMap<ChatState["threads"], { friends: ChatState["friends"]; list: readonly Thread[] }>();

/**
 * Returns the threads of the friends: newest message first, those without messages last; that of a just-added friend is
 * first. The list is the same one until a thread or a friend changes.
 */
export function friendThreads({ friends, threads, threadIdOf }: ChatState): readonly Thread[] {
  const known = sorted.get(threads);
  if (known?.friends === friends) return known.list;
  const list = [...friends.keys()].flatMap((friendId) => threads.get(threadIdOf.get(friendId) ?? "") ?? []);
  // A subtraction returns NaN for two threads without messages, which both have -Infinity.
  list.sort((a, b) => Number(orderTime(b) > orderTime(a)) - Number(orderTime(b) < orderTime(a)));
  sorted.set(threads, { friends, list });
  return list;
}

/** Returns the open thread, once its friend is known. */
export const activeThread = (state: ChatState): Thread | undefined =>
  state.friends.has(state.openFriendId ?? "") ? openThreadOf(state) : undefined;

/** Returns the number of unread messages, without muted threads. */
export function totalUnread(state: ChatState): number {
  const counts = friendThreads(state).map((thread) => (isMuted(state, thread.friendId) ? 0 : countUnread(thread)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Returns whether the user has muted the thread with a friend: it does not count in the tab title, nor is announced.
 */
export const isMuted = ({ friends }: ChatState, friendId: string): boolean => friends.get(friendId)?.is_muted === true;

/** Returns whether the friend of a thread still has an account, and so can be written to. */
export function canWriteIn({ friends, threads }: ChatState, threadId: string): boolean {
  const friend = friends.get(threads.get(threadId)?.friendId ?? "");
  return friend !== undefined && !isDeleted(friend);
}
