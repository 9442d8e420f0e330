import type { ChatPageProps } from "@messageoh/contracts/frontends";
import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import type { Chat } from "./model.ts";

export interface ChatProviderProps extends ChatPageProps {
  children: ReactNode;
}

const ChatContext = createContext<Chat | null>(null);

export function ChatProvider({ children }: ChatProviderProps): ReactElement {
  return <ChatContext value={null}>{children}</ChatContext>;
}

/** The chat as of now; renders again with every change of it. */
export function useChat(): Chat {
  return useChatSelector(everything);
}

/** One part of the chat; renders again only when that part changes. */
export function useChatSelector<Part>(select: (chat: Chat) => Part): Part {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error("useChat needs a ChatProvider above it");
  return select(chat);
}

const everything = (chat: Chat) => chat;
