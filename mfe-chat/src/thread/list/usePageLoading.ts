import { type RefObject, useEffect, useRef } from "react";
import type { Thread } from "../../view/model.ts";
import { useChatSelector } from "../../view/useChatSelector.ts";

/** History begins to load this long before its edge comes into view. */
const LOAD_AHEAD_PX = 1200;
/** A new list seems to be at its start until it stands where it belongs. */
const PLACING_MS = 200;

/** Loads the pages around what is shown, one at a time. The function is to be called whenever that may have changed. */
export function usePageLoading(
  { threadId, hasOlder, hasNewer, loadError }: Thread,
  scrollerRef: RefObject<HTMLElement | null>,
  epoch: number,
): () => void {
  const loadOlder = useChatSelector((chat) => chat.loadOlder);
  const loadNewer = useChatSelector((chat) => chat.loadNewer);
  const isLoading = useRef(false);
  const isPlaced = useRef(false);

  function load(page: (threadId: string) => Promise<void>): void {
    isLoading.current = true;
    void page(threadId).finally(() => {
      isLoading.current = false;
    });
  }

  function loadWhatIsNear(): void {
    const scroller = scrollerRef.current;
    if (!scroller || !isPlaced.current || isLoading.current || loadError) return;
    const { scrollHeight, clientHeight, scrollTop } = scroller;
    if (hasOlder && scrollTop < LOAD_AHEAD_PX) load(loadOlder);
    else if (hasNewer && scrollHeight - clientHeight - scrollTop < LOAD_AHEAD_PX) load(loadNewer);
  }

  const latest = useRef(loadWhatIsNear);
  useEffect(() => {
    latest.current = loadWhatIsNear;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: every list has to be placed anew
  useEffect(() => {
    isPlaced.current = false;
    const timer = setTimeout(() => {
      isPlaced.current = true;
      latest.current();
    }, PLACING_MS);
    return () => clearTimeout(timer);
  }, [epoch]);

  return loadWhatIsNear;
}
