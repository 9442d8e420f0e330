import { useState } from "react";
import { useChatState } from "../../useChat.ts";

type Loading = "loading" | "loaded" | "failed";

/** Returns the state of a picture that is loaded, and again by the user or when the connection is back. */
export function useReloadedPicture() {
  const [{ attempt, state }, setPicture] = useState({ attempt: 0, state: "loading" as Loading });
  const connection = useChatState((chat) => chat.connection);
  const [tried, setTried] = useState(connection);
  const retry = () => setPicture({ attempt: attempt + 1, state: "loading" });
  if (connection !== tried) {
    setTried(connection);
    if (state === "failed") retry();
  }
  return {
    /** Use it as the `key` of the picture. */
    attempt,
    state,
    retry,
    handleLoad: () => setPicture({ attempt, state: "loaded" }),
    handleError: () => setPicture({ attempt, state: "failed" }),
  };
}
