import { useEffect } from "react";
import { useChatSelector } from "../view/useChatSelector.ts";

/** For what fills the window: messages that arrive in the thread below are not read while it is there. */
export function useCover(): void {
  const setCovered = useChatSelector((chat) => chat.setCovered);
  useEffect(() => {
    setCovered(true);
    return () => setCovered(false);
  }, [setCovered]);
}
