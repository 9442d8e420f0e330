import type { Friend, ListedFriend } from "@messageoh/contracts/users";
import type { ChatState } from "./chatState.ts";
import { orderTime } from "./thread/order.ts";
import type { Thread } from "./thread/thread.ts";
import { withSet, withThreads } from "./withThreads.ts";

/** Changes of the friends and of what is known about them. */
export const friendChanges = {
  /**
   * The friends of a response. Friends that it lacks stay if they were added while it was under way, and go if they
   * were known before: `before` are those that were known when the list was requested.
   */
  friendsListed(
    state: ChatState,
    { friends: listed, before }: { friends: readonly ListedFriend[]; before?: ChatState["friends"] },
  ): ChatState {
    const ids = new Set(listed.map(({ id }) => id));
    const gone = [...state.friends.keys()].filter((id) => before?.has(id) && !ids.has(id));
    const left = withoutFriends(state, gone);
    const friends = new Map(listed.map((friend) => [friend.id, merged(left.friends.get(friend.id), friend)]));
    for (const [id, friend] of left.friends) if (!friends.has(id)) friends.set(id, friend);
    return { ...left, friends };
  },

  /** `isOnTop`: the user has just added the friend, who is listed first. */
  friendAdded(
    state: ChatState,
    { friend, threadId, isOnTop }: { friend: Friend; threadId: string; isOnTop: boolean },
  ): ChatState {
    const friends = new Map([[friend.id, friend], ...state.friends]);
    // Message times instead of this clock, so that any later message of another friend sorts above.
    const aboveAll = () =>
      [...state.threads.values()].reduce((latest, thread) => Math.max(latest, orderTime(thread) + 1), 0);
    const change = (thread: Thread) => (isOnTop ? { ...thread, topTime: aboveAll() } : thread);
    return withThreads({ ...state, friends }, [{ threadId, friendId: friend.id, change }]);
  },

  friendRemoved: (state: ChatState, { friendId }: { friendId: string }): ChatState => withoutFriends(state, [friendId]),

  /** What the user has set for a friend, or the friend's own name and avatar. */
  friendChanged(
    state: ChatState,
    { friendId, change }: { friendId: string; change: Partial<ListedFriend> },
  ): ChatState {
    const known = state.friends.get(friendId);
    const changed = known && merged(known, { ...known, ...change });
    return !changed || changed === known ? state : { ...state, friends: new Map(state.friends).set(friendId, changed) };
  },

  /** `lastSeenAt`: when the users were last online; unknown if the presence itself is. */
  presenceChanged(
    state: ChatState,
    { userIds, isOnline, lastSeenAt: at }: { userIds: readonly string[]; isOnline: boolean; lastSeenAt?: string },
  ): ChatState {
    const present = withSet(state, "onlineIds", userIds, isOnline);
    if (userIds.every((userId) => state.lastSeenAt.get(userId) === at)) return present;
    const others = [...state.lastSeenAt].filter(([userId]) => !userIds.includes(userId));
    const changed = at === undefined ? [] : userIds.map((userId) => [userId, at] as const);
    return { ...present, lastSeenAt: new Map([...others, ...changed]) };
  },
};

/** Returns the known friend if nothing has changed, to avoid rendering the friend again. */
function merged(known: ListedFriend | undefined, friend: ListedFriend): ListedFriend {
  const isSame =
    known?.name === friend.name &&
    known.avatar_id === friend.avatar_id &&
    known.is_muted === friend.is_muted &&
    known.has_notice === friend.has_notice;
  return isSame ? known : friend;
}

/** Returns the state without these friends and their threads. The server keeps the messages. */
function withoutFriends(state: ChatState, friendIds: readonly string[]): ChatState {
  const gone = friendIds.filter((id) => state.friends.has(id) || state.threadIdOf.has(id));
  if (gone.length === 0) return state;
  const [friends, threads, threadIdOf] = [new Map(state.friends), new Map(state.threads), new Map(state.threadIdOf)];
  const [onlineIds, lastSeenAt] = [new Set(state.onlineIds), new Map(state.lastSeenAt)];
  const typingIn = new Set(state.typingIn);
  for (const id of gone) {
    const threadId = threadIdOf.get(id) ?? "";
    for (const ofFriend of [friends, threadIdOf, onlineIds, lastSeenAt]) ofFriend.delete(id);
    for (const ofThread of [threads, typingIn]) ofThread.delete(threadId);
  }
  return { ...state, friends, threads, threadIdOf, onlineIds, lastSeenAt, typingIn };
}
