import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type ReactElement, useState } from "react";
import { ChangeAvatarDialog } from "../account/ChangeAvatarDialog.tsx";
import { ChangePasswordDialog } from "../account/ChangePasswordDialog.tsx";
import { MyAccountDialog } from "../account/MyAccountDialog.tsx";
import { SessionsDialog } from "../account/SessionsDialog.tsx";
import { ConnectionBanner } from "../failures/ConnectionBanner.tsx";
import type { AccountDialog } from "../sidebar/SidebarHeader.tsx";
import { useChatSelector } from "../view/useChatSelector.ts";
import css from "./ChatScreen.module.css";
import { MessagePane } from "./MessagePane.tsx";
import { SidebarPane } from "./SidebarPane.tsx";
import { useTabTitle } from "./useTabTitle.ts";

const ACCOUNT_DIALOGS = {
  account: MyAccountDialog,
  avatar: ChangeAvatarDialog,
  password: ChangePasswordDialog,
  sessions: SessionsDialog,
};

export interface ChatScreenProps {
  /** Whether the URL names a thread, which may not be loaded yet. */
  isThreadWanted: boolean;
}

/** Renders the friend list and the open thread, side by side or one at a time on a narrow screen. */
export function ChatScreen({ isThreadWanted }: ChatScreenProps): ReactElement {
  const hasThread = useChatSelector((chat) => chat.active !== null || (chat.status === "loading" && isThreadWanted));
  const totalUnread = useChatSelector((chat) => chat.totalUnread);
  const isWide = useMediaQuery(DESKTOP_QUERY);
  const [searchText, setSearchText] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const [dialog, setDialog] = useState<AccountDialog | null>(null);
  /** Increases to move the focus into a thread that is already open. */
  const [focusRequest, setFocusRequest] = useState(0);
  const isThreadShown = isWide || hasThread;
  const isListShown = isWide || !hasThread;
  const Dialog = dialog && ACCOUNT_DIALOGS[dialog];
  // On a phone a search fills the screen.
  useBackToClose(!isWide && searchText !== "", () => setSearchText(""));
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
          isAdding={isAdding}
          onAddingChange={setIsAdding}
          hasThread={hasThread}
          onOpenDialog={setDialog}
          onFriendAdded={() => setFocusRequest(focusRequest + 1)}
        />
        <div className={isThreadShown ? css.thread : `${css.thread} ${css.away}`}>
          <MessagePane
            isWide={isWide}
            isThreadWanted={isThreadWanted}
            isSearching={searchText !== ""}
            focusRequest={focusRequest}
            onAddFriend={() => setIsAdding(true)}
          />
        </div>
      </div>
      {Dialog ? <Dialog onClose={() => setDialog(null)} /> : null}
    </main>
  );
}
