import { useEffect } from "react";
import { useChat } from "../useChat.ts";

/** Marks the open thread as covered, so that messages that arrive are not marked read. */
export function useCover(): void {
  const { setCovered } = useChat().realtime;
  useEffect(() => {
    setCovered(true);
    return () => setCovered(false);
  }, [setCovered]);
}
