import { AVATARS_ART } from "@messageoh/ui-kit/avatars/avatarArt";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { ErrorScreen } from "@messageoh/ui-kit/feedback/ErrorScreen";
import { preloadPictures } from "@messageoh/ui-kit/hooks/preloadPictures";
import sadJellyfish from "@messageoh/ui-kit/sad-jellyfish.svg";
import sadRabbit from "@messageoh/ui-kit/sad-rabbit.svg";
import { type ReactElement, useEffect } from "react";
import { ChatProvider, type ChatProviderProps } from "./ChatProvider.tsx";
import { ConnectionBanner } from "./errors/ConnectionBanner.tsx";
import css from "./errors/FullScreenError.module.css";
import { ChatScreen } from "./layout/ChatScreen.tsx";
import { useChat, useChatState } from "./useChat.ts";

const PICTURES = [AVATARS_ART, sadRabbit, sadJellyfish];

/** Renders the chat of the logged-in user. */
export function ChatPage(props: Omit<ChatProviderProps, "children">): ReactElement {
  return (
    <ChatProvider {...props}>
      <LoadedChat />
    </ChatProvider>
  );
}

/** Renders the chat screen, or an error if its data cannot be loaded. */
function LoadedChat(): ReactElement {
  const { retryLoad } = useChat();
  const status = useChatState((state) => state.status);
  useEffect(() => preloadPictures(PICTURES), []);
  if (status !== "failed") return <ChatScreen />;
  return (
    <main className={css.page}>
      <VisuallyHidden as="h1">Messageoh</VisuallyHidden>
      <ConnectionBanner />
      <ErrorScreen onRetry={retryLoad} />
    </main>
  );
}
