import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/useMediaQuery";
import { type ReactElement, useState } from "react";
import { ChangeAvatarDialog } from "./avatar/ChangeAvatarDialog.tsx";
import css from "./ChatScreen.module.css";
import { ConnectionBanner } from "./layout/ConnectionBanner.tsx";
import { useTabTitle } from "./layout/useTabTitle.ts";
import { MessagePane } from "./MessagePane.tsx";
import { SidebarPane } from "./SidebarPane.tsx";
import { useChatSelector } from "./state/ChatProvider.tsx";

/** The list of friends and the open thread: side by side, or one of them where the screen is narrow. */
export function ChatScreen(): ReactElement {
  const friendId = useChatSelector((chat) => chat.active?.friend.id ?? null);
  const totalUnread = useChatSelector((chat) => chat.totalUnread);
  const isWide = useMediaQuery(DESKTOP_QUERY);
  const [searchText, setSearchText] = useState("");
  const [isChangingAvatar, setIsChangingAvatar] = useState(false);
  const isThreadShown = isWide || friendId !== null;
  const isListShown = isWide || friendId === null;
  useTabTitle("Messageoh", totalUnread);

  return (
    <main className={css.page}>
      <ConnectionBanner />
      <div className={css.panes}>
        <SidebarPane
          className={isListShown ? css.sidebar : `${css.sidebar} ${css.away}`}
          isShown={isListShown}
          isWide={isWide}
          searchText={searchText}
          onSearchTextChange={setSearchText}
          onChangeAvatar={() => setIsChangingAvatar(true)}
        />
        <div className={isThreadShown ? css.thread : `${css.thread} ${css.away}`}>
          <MessagePane isWide={isWide} isSearching={searchText !== ""} />
        </div>
      </div>
      {isChangingAvatar ? <ChangeAvatarDialog onClose={() => setIsChangingAvatar(false)} /> : null}
    </main>
  );
}
