import { useEffect, useRef, useState } from "react";
import type { SearchPage } from "../fetching/chatApi.ts";
import type { SearchSource } from "./searchSource.ts";

interface SearchState<Item> extends SearchPage<Item> {
  /** `paused`: there is no network; the search starts when it is back. */
  status: "loading" | "failed" | "ready" | "paused";
  /** The text that the items match; `null` before the first result. */
  text: string | null;
  /** The source that they are from. */
  source: SearchSource;
}

/**
 * Searches page by page, and again from the start when the source changes. Earlier results stay until the new ones
 * arrive.
 * @param search must keep its identity between renders
 */
export function usePagedSearch<Item>(
  text: string,
  search: (text: string, after: Item | null, signal: AbortSignal) => Promise<SearchPage<Item>>,
  source: SearchSource,
) {
  const [state, setState] = useState<SearchState<Item>>({
    status: "loading",
    text: null,
    source: null,
    items: [],
    last: null,
  });
  const request = useRef<AbortController>(null);

  function load(after: Item | null): void {
    request.current?.abort();
    const aborter = new AbortController();
    request.current = aborter;
    setState((current) => ({ ...current, status: "loading" }));
    search(text, after, aborter.signal).then(
      ({ items, last }) => {
        if (aborter.signal.aborted) return;
        setState((current) => ({
          status: "ready",
          text,
          source,
          items: after === null ? items : [...current.items, ...items],
          last,
        }));
      },
      () => {
        if (!aborter.signal.aborted) setState((current) => ({ ...current, status: "failed" }));
      },
    );
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new text or source starts a new search
  useEffect(() => {
    if (source !== null) load(null);
    else setState((current) => ({ ...current, status: "paused" }));
    return () => request.current?.abort();
  }, [search, text, source]);

  const { status, items, last } = state;
  return {
    status,
    searchedText: state.text,
    searchedSource: state.source,
    items,
    /** Whether a page follows the items. */
    hasMore: last !== null,
    /** Repeats the search, or loads the failed page again. */
    retry: () => load(state.text === text && state.source === source ? last : null),
    /** Loads the next page if there is one and none is loading. */
    loadMore() {
      if (status === "ready" && last !== null) load(last);
    },
  };
}
