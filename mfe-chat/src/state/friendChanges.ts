import type { ListedFriend } from "@messageoh/contracts/users";
import type { ChatState } from "./chatState.ts";

/**
 * Returns the state with the friends of a response. Friends that it lacks stay if they were added while it was under way,
 * and go if they were known before.
 */
export function withListedFriends(
  state: ChatState,
  listed: readonly ListedFriend[],
  before: ChatState["friends"] = new Map(),
): ChatState {
  const ids = new Set(listed.map(({ id }) => id));
  const gone = [...state.friends.keys()].filter((id) => before.has(id) && !ids.has(id));
  const left = withoutFriends(state, gone);
  const friends = new Map(listed.map((friend) => [friend.id, merged(left.friends.get(friend.id), friend)]));
  for (const [id, friend] of left.friends) if (!friends.has(id)) friends.set(id, friend);
  return { ...left, friends };
}

/** Returns the state with a changed friend, if there is such a friend. */
export function withFriend(state: ChatState, friendId: string, change: Partial<ListedFriend>): ChatState {
  const known = state.friends.get(friendId);
  const changed = known && merged(known, { ...known, ...change });
  return !changed || changed === known ? state : { ...state, friends: new Map(state.friends).set(friendId, changed) };
}

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
export function withoutFriends(state: ChatState, friendIds: readonly string[]): ChatState {
  const gone = friendIds.filter((id) => state.friends.has(id) || state.threadIdOf.has(id));
  if (gone.length === 0) return state;
  const [friends, threads, threadIdOf] = [new Map(state.friends), new Map(state.threads), new Map(state.threadIdOf)];
  const [onlineIds, lastSeenAt, typingIn] = [
    new Set(state.onlineIds),
    new Map(state.lastSeenAt),
    new Set(state.typingIn),
  ];
  for (const id of gone) {
    const threadId = threadIdOf.get(id) ?? "";
    for (const ofFriend of [friends, threadIdOf, onlineIds, lastSeenAt]) ofFriend.delete(id);
    for (const ofThread of [threads, typingIn]) ofThread.delete(threadId);
  }
  return { ...state, friends, threads, threadIdOf, onlineIds, lastSeenAt, typingIn };
}
