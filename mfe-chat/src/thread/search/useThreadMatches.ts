import type { Message } from "@messageoh/contracts/messages";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { SearchPage } from "../../fetching/chatApi.ts";
import { currentState } from "../../search/currentState.ts";
import { messageSource } from "../../search/searchSource.ts";
import { usePagedSearch } from "../../search/usePagedSearch.ts";
import { friendThreads } from "../../state/friendList.ts";
import { useChat, useChatState } from "../../useChat.ts";

/** The next page is loaded when this many older matches are left. */
const LOAD_AHEAD = 5;
const NO_MATCHES: SearchPage<Message> = { items: [], last: null };

export type ThreadMatches = ReturnType<typeof useThreadMatches>;

/** Searches a thread and shows one match after the other; a new text or source starts at the newest match. */
export function useThreadMatches(threadId: string, text: string) {
  const { messages: searchMessages } = useChat().search;
  const { jumpToMessage } = useChat();
  const source = useChatState(messageSource);
  const search = useCallback(
    async (wanted: string, before: Message | null, signal: AbortSignal) =>
      wanted === "" ? NO_MATCHES : searchMessages(wanted, before, signal, threadId),
    [searchMessages, threadId],
  );
  const results = usePagedSearch(text, search, source);
  const { status, searchedText, searchedSource, items: all, hasMore, loadMore, retry } = results;
  const threads = useChatState(friendThreads);
  const items = useMemo(
    () => all.map((message) => currentState(message, threads)).filter((message) => message !== null),
    [all, threads],
  );
  const [shown, setShown] = useState({ text: searchedText, source: searchedSource, at: 0 });
  if (shown.text !== searchedText || shown.source !== searchedSource) show(0);
  // The shown match may be deleted, and the last one with it.
  const at = Math.max(0, Math.min(shown.at, items.length - 1));
  const found = items[at];

  // biome-ignore lint/correctness/useExhaustiveDependencies: a match is shown once, not when its page grows
  useEffect(() => {
    if (found) void jumpToMessage(found);
  }, [found?.id, jumpToMessage]);

  function show(index: number): void {
    setShown({ text: searchedText, source: searchedSource, at: index });
  }

  function goTo(index: number): void {
    if (index >= items.length - LOAD_AHEAD) loadMore();
    if (index >= 0 && index < items.length) show(index);
  }

  return {
    /** `idle`: there is no text to search for. */
    status: text === "" ? ("idle" as const) : status,
    /** Index of the shown match; the newest is 0. */
    at,
    count: items.length,
    /** Text of the shown match. */
    text: found?.text ?? null,
    /** False while older matches are not loaded. */
    isCountFinal: !hasMore,
    hasOlder: at + 1 < items.length,
    hasNewer: at > 0,
    goToOlder: () => goTo(at + 1),
    goToNewer: () => goTo(at - 1),
    retry,
  };
}
