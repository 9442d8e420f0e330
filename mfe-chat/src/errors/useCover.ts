import { useEffect } from "react";
import { useChatSelector } from "../view/useChatSelector.ts";

/** Marks the open thread as covered, so that messages that arrive are not marked read. */
export function useCover(): void {
  const setCovered = useChatSelector((chat) => chat.setCovered);
  useEffect(() => {
    setCovered(true);
    return () => setCovered(false);
  }, [setCovered]);
}
