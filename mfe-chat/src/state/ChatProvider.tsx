import type { ChatPageProps } from "@messageoh/contracts/frontends";
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { type ChatSession, createChat } from "./createChat.ts";
import type { Chat } from "./model.ts";

export interface ChatProviderProps extends ChatPageProps {
  children: ReactNode;
}

const SessionContext = createContext<ChatSession | null>(null);

/** Runs the chat of one user for as long as it is on the page. */
export function ChatProvider(props: ChatProviderProps): ReactElement {
  // Nothing of one user may stay when another comes.
  return <UserChat key={props.user.id} {...props} />;
}

function UserChat({ user, friendId, navigate, onUserChanged, onLoggedOut, children }: ChatProviderProps): ReactElement {
  const host = useRef({ navigate, onUserChanged, onLoggedOut });
  useInsertionEffect(() => {
    host.current = { navigate, onUserChanged, onLoggedOut };
  });
  const [session] = useState(() => createChat(user, friendId, () => host.current));

  // Before the screen shows, so that no frame has the new address with the old thread.
  useLayoutEffect(() => session.openFriend(friendId), [session, friendId]);
  useLayoutEffect(() => session.changeUser(user), [session, user]);
  useEffect(() => {
    session.start();
    return session.stop;
  }, [session]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The chat as of now; renders again with every change of it. */
export function useChat(): Chat {
  return useChatSelector(everything);
}

/** One part of the chat; renders again only when that part changes. */
export function useChatSelector<Part>(select: (chat: Chat) => Part): Part {
  const session = useContext(SessionContext);
  if (!session) throw new Error("The chat is used outside of its ChatProvider");
  return useSyncExternalStore(session.subscribe, () => select(session.get()));
}

const everything = (chat: Chat) => chat;
