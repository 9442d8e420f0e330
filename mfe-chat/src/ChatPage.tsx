import type { ChatPageProps } from "@messageoh/contracts/frontends";
import { ErrorScreen } from "@messageoh/ui-kit/ErrorScreen";
import { VisuallyHidden } from "@messageoh/ui-kit/VisuallyHidden";
import type { ReactElement } from "react";
import { ChatProvider, type ChatProviderProps } from "./ChatProvider.tsx";
import { ChatScreen } from "./screen/ChatScreen.tsx";
import { useChatSelector } from "./view/useChatSelector.ts";

/** The chat of the user who is logged in. */
export function ChatPage(props: Omit<ChatProviderProps, "children">): ReactElement {
  return (
    <ChatProvider {...props}>
      <LoadedChat friendId={props.friendId} />
    </ChatProvider>
  );
}

export default ChatPage;

/** The screen, or the failure to load what it shows. */
function LoadedChat({ friendId }: Pick<ChatPageProps, "friendId">): ReactElement {
  const status = useChatSelector((chat) => chat.status);
  const retryLoad = useChatSelector((chat) => chat.retryLoad);
  if (status !== "failed") return <ChatScreen isThreadWanted={friendId !== undefined} />;
  return (
    <main>
      <VisuallyHidden as="h1">Messageoh</VisuallyHidden>
      <ErrorScreen onRetry={retryLoad} />
    </main>
  );
}
