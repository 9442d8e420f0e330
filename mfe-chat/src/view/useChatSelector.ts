import { createContext, useContext, useSyncExternalStore } from "react";
import type { Chat } from "./model.ts";

/** The running chat, for views. */
export interface ChatSource {
  get: () => Chat;
  /** @returns a function that unsubscribes */
  subscribe: (onChange: () => void) => () => void;
}

export const ChatContext = createContext<ChatSource | null>(null);

/** Returns one part of the chat; renders again only when that part changes. */
export function useChatSelector<Part>(select: (chat: Chat) => Part): Part {
  const source = useContext(ChatContext);
  if (!source) throw new Error("The chat is used outside of its ChatProvider");
  return useSyncExternalStore(source.subscribe, () => select(source.get()));
}
