import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type ComponentType, type ReactElement, useCallback, useEffect, useState } from "react";
import { ConnectionBanner } from "../errors/ConnectionBanner.tsx";
import { takesText, useShortcuts } from "../keyboard/useShortcuts.ts";
import { useWarmUp } from "../requests/useWarmUp.ts";
import { viewOnDemand } from "../requests/viewOnDemand.tsx";
import type { AccountDialog } from "../sidebar/SidebarHeader.tsx";
import { activeThread, friendThreads, totalUnread } from "../state/friendList.ts";
import { useChat, useChatState } from "../useChat.ts";
import css from "./ChatScreen.module.css";
import { MessagePane } from "./MessagePane.tsx";
import { SidebarPane } from "./SidebarPane.tsx";
import { useAppBadge } from "./useAppBadge.ts";
import { useTabTitle } from "./useTabTitle.ts";

/** Dialogs whose code is loaded when they are opened. */
const DIALOGS = {
  avatar: viewOnDemand(() => import("../account/ChangeAvatarDialog.tsx"), "ChangeAvatarDialog"),
  invite: viewOnDemand(() => import("../invite/ShareLinkDialog.tsx"), "ShareLinkDialog"),
  starred: viewOnDemand(() => import("../starred/StarredDialog.tsx"), "StarredDialog"),
  settings: viewOnDemand(() => import("../settings/SettingsDialog.tsx"), "SettingsDialog"),
  shortcuts: viewOnDemand(() => import("../keyboard/ShortcutsDialog.tsx"), "ShortcutsDialog"),
} satisfies Record<AccountDialog | "shortcuts", ComponentType<{ onClose: () => void }>>;
const OPEN_OFFLINE = [DIALOGS.avatar.load, DIALOGS.settings.load];

const InviteQuestion = viewOnDemand(() => import("../invite/InviteQuestion.tsx"), "InviteQuestion");

/** Renders the friend list and the open thread, side by side or one at a time on a narrow screen. */
export function ChatScreen(): ReactElement {
  const hasThread = useChatState(
    (state) => activeThread(state) !== undefined || (state.status === "loading" && state.openFriendId !== null),
  );
  const unreadCount = useChatState(totalUnread);
  const isLoaded = useChatState(({ status }) => status === "ready");
  const isWide = useMediaQuery(DESKTOP_QUERY);
  const [searchText, setSearchText] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const [dialog, setDialog] = useState<keyof typeof DIALOGS | null>(null);
  const OpenDialog = dialog && DIALOGS[dialog];
  const [invite, setInvite] = useState<string | null>(null);
  /** Increases to move the focus into a thread that is already open. */
  const [focusRequest, setFocusRequest] = useState(0);
  const isThreadShown = isWide || hasThread;
  const isListShown = isWide || !hasThread;
  const openFriendId = useChatState((state) => state.openFriendId);
  const openNonce = useChatState((state) => state.openNonce);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the open thread is opened again
  useEffect(() => {
    // A notification and a file in the settings lead to a thread, which the dialog would cover.
    if (openFriendId !== null) setDialog(null);
  }, [openFriendId, openNonce]);
  const closeInvite = useCallback(() => setInvite(null), []);
  const { takeInvite } = useChat();
  useEffect(() => setInvite(takeInvite()), [takeInvite]);
  useWarmUp(OPEN_OFFLINE, isLoaded);
  const openNeighbour = useOpenNeighbour();
  useShortcuts((event) => {
    if (event.ctrlKey || event.metaKey) return;
    const step = event.altKey && !event.shiftKey ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : undefined;
    if (step !== undefined) openNeighbour(step);
    else if (event.key === "?" && !event.altKey && !takesText(event.target)) setDialog("shortcuts");
    else return;
    event.preventDefault();
  });
  // On a phone a search fills the screen.
  useBackToClose(!isWide && searchText !== "", () => setSearchText(""));
  useTabTitle(unreadCount);
  useAppBadge(unreadCount);

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
          onThreadOpened={() => setFocusRequest(focusRequest + 1)}
        />
        <div className={isThreadShown ? css.thread : `${css.thread} ${css.away}`}>
          <MessagePane
            isWide={isWide}
            isSearching={searchText !== ""}
            focusRequest={focusRequest}
            onAddFriend={() => setIsAdding(true)}
            onShareLink={() => setDialog("invite")}
          />
        </div>
      </div>
      {invite !== null ? <InviteQuestion token={invite} onClose={closeInvite} /> : null}
      {OpenDialog ? <OpenDialog onClose={() => setDialog(null)} /> : null}
    </main>
  );
}

/** Returns a function that opens the next (1) or the previous (-1) thread of the friend list, if there is one. */
function useOpenNeighbour(): (step: number) => void {
  const { store, openThread } = useChat();
  return (step) => {
    const { openFriendId } = store.get();
    const threads = friendThreads(store.get());
    const at = threads.findIndex(({ friendId }) => friendId === openFriendId);
    const next = threads[at < 0 ? 0 : at + step];
    if (next) openThread(next.friendId);
  };
}
