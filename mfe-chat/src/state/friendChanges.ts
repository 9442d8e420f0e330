import type { Friend, ListedFriend } from "@messageoh/contracts/users";
import type { ChatState } from "./chatState.ts";

/**
 * Returns the state with the friends of a response. Friends that it lacks stay if they were added while it was under way,
 * and go if they were known before.
 */
export function withListedFriends(
  state: ChatState,
  listed: readonly ListedFriend[],
  before: ReadonlyMap<string, Friend> = new Map(),
): ChatState {
  const ids = new Set(listed.map(({ id }) => id));
  const gone = [...state.friends.keys()].filter((id) => before.has(id) && !ids.has(id));
  const left = withoutFriends(state, gone);
  const friends = new Map<string, Friend>();
  for (const { id, name, avatar_id } of listed) {
    const known = left.friends.get(id);
    const isSame = known?.name === name && known.avatar_id === avatar_id;
    friends.set(id, isSame ? known : { id, name, avatar_id });
  }
  for (const [id, friend] of left.friends) if (!friends.has(id)) friends.set(id, friend);
  const flagged = (flag: "is_muted" | "has_notice", former: ReadonlySet<string>) =>
    new Set([
      ...listed.filter((friend) => friend[flag]).map(({ id }) => id),
      ...[...former].filter((id) => !ids.has(id)),
    ]);
  return {
    ...left,
    friends,
    mutedIds: flagged("is_muted", left.mutedIds),
    noticeIds: flagged("has_notice", left.noticeIds),
  };
}

/** Returns the state without these friends and their threads. The server keeps the messages. */
export function withoutFriends(state: ChatState, friendIds: readonly string[]): ChatState {
  const gone = friendIds.filter((id) => state.friends.has(id) || state.threadIdOf.has(id));
  if (gone.length === 0) return state;
  const [friends, threads, threadIdOf] = [new Map(state.friends), new Map(state.threads), new Map(state.threadIdOf)];
  for (const id of gone) {
    friends.delete(id);
    threads.delete(threadIdOf.get(id) ?? "");
    threadIdOf.delete(id);
  }
  const kept = (ids: ReadonlySet<string>) => new Set([...ids].filter((id) => !gone.includes(id)));
  return {
    ...state,
    friends,
    threads,
    threadIdOf,
    onlineIds: kept(state.onlineIds),
    lastSeenAt: new Map([...state.lastSeenAt].filter(([id]) => !gone.includes(id))),
    mutedIds: kept(state.mutedIds),
    noticeIds: kept(state.noticeIds),
    typingIn: new Set([...state.typingIn].filter((threadId) => threads.has(threadId))),
  };
}
