import type { ListedFriend } from "@messageoh/contracts/users";
import type { ChatState } from "../src/state/chatState.ts";
import { activeThread, friendThreads, isMuted, totalUnread } from "../src/state/friendList.ts";
import { lastMessage, shownMessages } from "../src/state/thread/shownMessages.ts";
import type { Thread } from "../src/state/thread/thread.ts";
import { countUnread, firstUnreadSeq } from "../src/state/thread/unread.ts";
import { hasGap, hasNewer, hasOlder, isLoaded, windowOf } from "../src/state/thread/window.ts";

/** Returns what the views show of a state, as they select it. */
export function viewOf(state: ChatState) {
  const entryOf = (thread: Thread) => ({
    friend: state.friends.get(thread.friendId) as ListedFriend,
    isOnline: state.onlineIds.has(thread.friendId),
    hasDraft: state.draftIn.has(thread.threadId),
    isMuted: isMuted(state, thread.friendId),
    thread: {
      threadId: thread.threadId,
      friendId: thread.friendId,
      messages: shownMessages(thread),
      hasOlder: hasOlder(thread),
      hasNewer: hasNewer(thread),
      isLoaded: isLoaded(thread),
      isGapLoading: !hasNewer(thread) && hasGap(thread),
      loadError: thread.hasFailed,
      unreadCount: countUnread(thread),
      firstUnreadSeq: firstUnreadSeq(thread, windowOf(thread)),
      lastMessage: lastMessage(thread),
      isFriendTyping: state.typingIn.has(thread.threadId),
    },
  });
  const active = activeThread(state);
  return {
    ...state,
    friends: friendThreads(state).map(entryOf),
    active: active ? entryOf(active) : null,
    totalUnread: totalUnread(state),
  };
}
