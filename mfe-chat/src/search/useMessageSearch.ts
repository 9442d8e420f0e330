import type { Message } from "@messageoh/contracts/messages";
import { useEffect, useState } from "react";
import { useChatSelector } from "../view/useChatSelector.ts";

export interface MessageSearch {
  status: "loading" | "failed" | "ready";
  messages: readonly Message[];
  retry: () => void;
}

/** The messages that contain the text; those found before stay until the new ones are there. */
export function useMessageSearch(text: string): MessageSearch {
  const searchMessages = useChatSelector((chat) => chat.searchMessages);
  const [result, setResult] = useState<Omit<MessageSearch, "retry">>({ status: "loading", messages: [] });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt searches again
  useEffect(() => {
    const abort = new AbortController();
    setResult(({ messages }) => ({ status: "loading", messages }));
    searchMessages(text, abort.signal).then(
      (messages) => {
        if (!abort.signal.aborted) setResult({ status: "ready", messages });
      },
      () => {
        if (!abort.signal.aborted) setResult({ status: "failed", messages: [] });
      },
    );
    return () => abort.abort();
  }, [searchMessages, text, attempt]);

  return { ...result, retry: () => setAttempt(attempt + 1) };
}
