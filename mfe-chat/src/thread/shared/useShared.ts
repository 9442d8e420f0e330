import { listMessages, type Message } from "@messageoh/contracts/messages";
import { useCallback, useEffect, useMemo, useState } from "react";
import { PAGE_LIMIT, pageOf, type SearchPage } from "../../fetching/chatApi.ts";
import { currentState } from "../../search/currentState.ts";
import { messageSource } from "../../search/searchSource.ts";
import { usePagedSearch } from "../../search/usePagedSearch.ts";
import { rowOf, type ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { useChat, useChatState } from "../../useChat.ts";
import type { Shared } from "./sharedItems.ts";

/** Pages are loaded until a list has this many items, but only so many pages at a time: they may contain none. */
const FILLED = 30;
const PAGES_AT_ONCE = 4;

type Search = (text: string, before: Message | null, signal: AbortSignal) => Promise<SearchPage<Message>>;

/** Returns the search for messages of a thread with files, by a part of the name of a file. */
export function useAttached(threadId: string): Search {
  const { call } = useChat().api;
  const user_id = useChatState((state) => state.me.id);
  return useCallback(
    async (name, before, signal) => {
      const page = { thread_id: threadId, attached: "true" as const, before_seq: before?.seq, limit: PAGE_LIMIT };
      const query = { ...page, search: name === "" ? undefined : name };
      return pageOf((await call(listMessages, { params: { user_id }, query, signal })).toReversed());
    },
    [call, user_id, threadId],
  );
}

/** Returns the search for messages of a thread that contain "http". Addresses without it are not found. */
export function useLinked(threadId: string): Search {
  const { messages } = useChat().search;
  return useCallback((_, before, signal) => messages("http", before, signal, threadId), [messages, threadId]);
}

/**
 * Returns a list of what the messages of a thread contain, newest first, page by page.
 * @param itemsIn must keep its identity between renders
 */
export function useShared<Item>(
  thread: Thread,
  text: string,
  search: Search,
  itemsIn: (messages: readonly ThreadMessage[]) => Shared<Item>[],
) {
  const source = useChatState(messageSource);
  const { status, items: found, hasMore, loadMore, retry } = usePagedSearch(text, search, source);
  const messages = useMemo(
    () => found.flatMap((message) => currentState(message, [thread]) ?? []).map((message) => rowOf(message, thread)),
    [found, thread],
  );
  const items = useMemo(() => itemsIn(messages), [messages, itemsIn]);

  /** Items at the last request of the user, and the pages since then. */
  const [wish, setWish] = useState({ text, from: 0, pages: 0 });
  if (wish.text !== text) setWish({ text, from: 0, pages: 0 });
  const isShort = items.length < wish.from + FILLED && wish.pages < PAGES_AT_ONCE;
  const continues = status === "ready" && hasMore && isShort;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is loaded once
  useEffect(() => {
    if (!continues) return;
    setWish({ ...wish, pages: wish.pages + 1 });
    loadMore();
  }, [continues, found]);

  return {
    status: continues ? ("loading" as const) : status,
    messages,
    items,
    hasMore,
    retry,
    showOlder(): void {
      setWish({ text, from: items.length, pages: 0 });
      loadMore();
    },
  };
}
