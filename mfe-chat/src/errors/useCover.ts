import { useEffect } from "react";
import { useChat } from "../useChat.ts";

/** Marks the open thread as covered, so that messages that arrive are not marked read. For what fills the window. */
export function useCover(isCovering = true): void {
  const { cover } = useChat().realtime;
  useEffect(() => (isCovering ? cover() : undefined), [cover, isCovering]);
}
