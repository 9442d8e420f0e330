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
import { ChatContext } from "./view/useChatSelector.ts";

export interface ChatProviderProps extends ChatPageProps {
  /** What the chat uses of the browser; tests replace it. */
  environment?: ChatEnvironment;
  children: ReactNode;
}

/** Runs the chat of one user for as long as it is on the page. */
export function ChatProvider(props: ChatProviderProps): ReactElement {
  // The key discards all state when another user logs in.
  return <UserChat key={props.user.id} {...props} />;
}

function UserChat(props: ChatProviderProps): ReactElement {
  const { user, friendId, navigate, onUserChanged, onLoggedOut, environment, children } = props;
  const host = useRef({ navigate, onUserChanged, onLoggedOut });
  useInsertionEffect(() => {
    host.current = { navigate, onUserChanged, onLoggedOut };
  });
  const [session] = useState(() => createChat(user, friendId, () => host.current, environment));

  // A layout effect, so that no frame shows the new address with the old thread.
  useLayoutEffect(() => session.openFriend(friendId), [session, friendId]);
  useLayoutEffect(() => session.changeUser(user), [session, user]);
  useEffect(() => {
    session.start();
    return session.stop;
  }, [session]);

  return <ChatContext value={session}>{children}</ChatContext>;
}
