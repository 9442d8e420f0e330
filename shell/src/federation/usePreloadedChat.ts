import { useEffect } from "react";
import { loadPage } from "./loadPage.ts";

/**
 * Fetches the chat while somebody fills in the form, so that it is there when the sign-in succeeds. Not before the first
 * key: a visit that only looks at the login page pays for nothing else.
 */
export function usePreloadedChat(): void {
  useEffect(() => {
    const handleInput = (): void => {
      document.removeEventListener("input", handleInput);
      whenIdle(() => {
        loadPage("mfe_chat/ChatPage").catch((error: unknown) => console.warn("The chat is not preloaded", error));
      });
    };
    document.addEventListener("input", handleInput);
    return () => document.removeEventListener("input", handleInput);
  }, []);
}

function whenIdle(work: () => void): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}
