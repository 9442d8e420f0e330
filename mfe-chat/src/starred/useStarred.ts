import { useMemo } from "react";
import { withFriends } from "../search/currentState.ts";
import { serverSource } from "../search/searchSource.ts";
import { usePagedSearch } from "../search/usePagedSearch.ts";
import { friendThreads } from "../state/friendList.ts";
import { starredIn } from "../state/thread/privateMarks.ts";
import { useChat, useChatState } from "../useChat.ts";

/**
 * Loads the starred messages page by page, newest first, and returns those that are still starred with their friends.
 */
export function useStarred() {
  const { starred: loadStarred } = useChat().search;
  const threads = useChatState(friendThreads);
  const friends = useChatState((state) => state.friends);
  const { items, ...paging } = usePagedSearch("", loadStarred, useChatState(serverSource));
  const starred = useMemo(
    () => withFriends(items, threads, friends).filter(({ message, thread }) => starredIn(thread).has(message.seq)),
    [items, threads, friends],
  );
  return { starred, ...paging };
}
