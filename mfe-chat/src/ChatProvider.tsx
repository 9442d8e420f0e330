import type { ChatPageProps } from "@messageoh/contracts/frontends";
import {
  type ReactElement,
  type ReactNode,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type ChatEnvironment, createChat } from "./createChat.ts";
import { ChatContext } from "./useChat.ts";

export interface ChatProviderProps extends ChatPageProps {
  /** Browser APIs of the chat; tests replace them. */
  environment?: ChatEnvironment;
  children: ReactNode;
}

/** Runs the chat of one user while it is mounted. */
export function ChatProvider(props: ChatProviderProps): ReactElement {
  // The key discards all state when another user logs in.
  return <UserChat key={props.user.id} {...props} />;
}

function UserChat(props: ChatProviderProps): ReactElement {
  const { user, friendId, navigate, onUserChanged, onLoggedOut, environment, children } = props;
  const { deviceDatabase, isUnconfirmed = false, send } = props;
  const host = useRef({ navigate, onUserChanged, onLoggedOut });
  useInsertionEffect(() => {
    host.current = { navigate, onUserChanged, onLoggedOut };
  });
  const [chat] = useState(() =>
    createChat(user, friendId, () => host.current, environment, { deviceDatabase, isUnconfirmed, send }),
  );

  // A layout effect, so that no frame shows the old thread under the new URL.
  useLayoutEffect(() => chat.openFriend(friendId), [chat, friendId]);
  useLayoutEffect(() => chat.changeUser(user), [chat, user]);
  useEffect(() => {
    if (!isUnconfirmed) chat.confirmed();
  }, [chat, isUnconfirmed]);
  useEffect(() => {
    chat.start();
    return chat.stop;
  }, [chat]);

  return <ChatContext value={chat}>{children}</ChatContext>;
}
