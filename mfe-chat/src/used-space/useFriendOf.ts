import type { ListedFriend } from "@messageoh/contracts/users";
import { useChatState } from "../useChat.ts";

/** Returns the friend of a thread, or `undefined` after the end of the friendship. */
export const useFriendOf = (threadId: string): ListedFriend | undefined =>
  useChatState(({ threads, friends }) => friends.get(threads.get(threadId)?.friendId ?? ""));
