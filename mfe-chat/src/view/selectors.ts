import type { Friend } from "@messageoh/contracts/users";
import type { ChatState } from "../state/chatState.ts";
import { orderTime } from "../state/thread/order.ts";
import type { ThreadData } from "../state/thread/thread.ts";
import type { ChatSnapshot, FriendEntry, Thread } from "./model.ts";
import { createThreadView } from "./threadView.ts";

interface KnownEntry {
  thread: ThreadData;
  entry: FriendEntry;
}

/**
 * Returns a selector from the state to the view model. It remembers the last result: unchanged entries, threads,
 * messages and lists keep their identity, so a change recomputes only the parts that it affects.
 */
export function createSelectSnapshot(userId: string): (state: ChatState) => ChatSnapshot {
  const viewThread = createThreadView(userId);
  const entries = new Map<string, KnownEntry>();
  let sorted: readonly FriendEntry[] = [];
  let last: { state: ChatState; snapshot: ChatSnapshot } | null = null;

  function entryOf(friend: Friend, thread: ThreadData, state: ChatState): FriendEntry {
    const known = entries.get(friend.id);
    const isOnline = state.onlineIds.has(friend.id);
    const lastSeenAt = state.lastSeenAt.get(friend.id) ?? null;
    const previous: Thread | undefined = known?.entry.thread;
    const isMuted = state.mutedIds.has(friend.id);
    const hasNotice = state.noticeIds.has(friend.id);
    const hasDraft = state.draftIn.has(thread.threadId);
    const isTyping = state.typingIn.has(thread.threadId);
    const view =
      known?.thread === thread && previous?.isFriendTyping === isTyping
        ? known.entry.thread
        : viewThread(thread, isTyping, previous);
    if (
      known &&
      known.entry.friend === friend &&
      known.entry.isOnline === isOnline &&
      known.entry.lastSeenAt === lastSeenAt &&
      known.entry.hasDraft === hasDraft &&
      known.entry.isMuted === isMuted &&
      known.entry.hasNotice === hasNotice &&
      view === previous
    ) {
      return known.entry;
    }
    const entry = { friend, isOnline, lastSeenAt, hasDraft, isMuted, hasNotice, thread: view };
    entries.set(friend.id, { thread, entry });
    return entry;
  }

  function sortedEntries(state: ChatState): readonly FriendEntry[] {
    const rows: { entry: FriendEntry; time: number }[] = [];
    for (const friend of state.friends.values()) {
      const thread = state.threads.get(state.threadIdOf.get(friend.id) ?? "");
      if (thread) rows.push({ entry: entryOf(friend, thread, state), time: orderTime(thread) });
    }
    // A subtraction returns NaN for two threads without messages, which both have -Infinity.
    rows.sort((a, b) => (a.time === b.time ? 0 : b.time > a.time ? 1 : -1));
    const isSame = rows.length === sorted.length && rows.every((row, index) => row.entry === sorted[index]);
    if (!isSame) sorted = rows.map((row) => row.entry);
    return sorted;
  }

  return (state) => {
    if (last?.state === state) return last.snapshot;
    const friends = sortedEntries(state);
    const snapshot: ChatSnapshot = {
      status: state.status,
      isFromDevice: state.isFromDevice,
      user: state.me,
      friends,
      active: friends.find(({ friend }) => friend.id === state.openFriendId) ?? null,
      connection: state.connection,
      connectionReason: state.connectionReason,
      totalUnread: friends.reduce((sum, { thread, isMuted }) => (isMuted ? sum : sum + thread.unreadCount), 0),
      offersNotifications: state.offersNotifications,
      jump: state.jump,
    };
    last = { state, snapshot };
    return snapshot;
  };
}
