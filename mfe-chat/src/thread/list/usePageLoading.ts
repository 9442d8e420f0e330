import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { Thread } from "../../state/thread/thread.ts";
import { hasNewer, hasOlder } from "../../state/thread/window.ts";
import { useChat } from "../../useChat.ts";

/** Distance from the edge in px at which history is loaded. */
const LOAD_AHEAD_PX = 1200;
/** A new list is at its start until it is positioned, so do not load older pages before. */
const PLACING_MS = 200;

/** Returns a function that loads the pages around the visible rows. Call it whenever these may have changed. */
export function usePageLoading(thread: Thread, scrollerRef: RefObject<HTMLElement | null>, epoch: number): () => void {
  const { loadOlder, loadNewer } = useChat().messages;
  const isPlaced = useRef(false);

  function loadWhatIsNear(): void {
    const scroller = scrollerRef.current;
    if (!scroller || !isPlaced.current || thread.hasFailed) return;
    const { scrollHeight, clientHeight, scrollTop } = scroller;
    if (hasOlder(thread) && scrollTop < LOAD_AHEAD_PX) void loadOlder(thread.threadId);
    else if (hasNewer(thread) && scrollHeight - clientHeight - scrollTop < LOAD_AHEAD_PX)
      void loadNewer(thread.threadId);
  }

  const loadPlaced = useEffectEvent(loadWhatIsNear);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new list is positioned again
  useEffect(() => {
    isPlaced.current = false;
    const timer = setTimeout(() => {
      isPlaced.current = true;
      loadPlaced();
    }, PLACING_MS);
    return () => clearTimeout(timer);
  }, [epoch]);

  return loadWhatIsNear;
}
