import { createContext, useContext, useSyncExternalStore } from "react";
import type { Chat } from "./createChat.ts";
import type { ChatState } from "./state/chatState.ts";

export const ChatContext = createContext<Chat | null>(null);

/** Returns the running chat with its actions, which keep their identity. */
export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error("The chat is used outside of its ChatProvider");
  return chat;
}

/**
 * Returns one part of the state; renders again only when that part changes.
 * @param select returns the same object for the same state
 */
export function useChatState<Part>(select: (state: ChatState) => Part): Part {
  const { store } = useChat();
  return useSyncExternalStore(store.subscribeView, () => select(store.get()));
}
