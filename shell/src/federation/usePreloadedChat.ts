import { useEffect } from "react";
import { whenIdle } from "../whenIdle.ts";
import { loadPage } from "./loadPage.ts";

/**
 * Preloads the chat while the user fills in the form, to show it without delay after a sign-in. It starts with the
 * first key press, so that a visit to the login page alone downloads nothing more.
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
