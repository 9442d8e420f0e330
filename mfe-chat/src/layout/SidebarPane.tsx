import { type ReactElement, useDeferredValue, useRef } from "react";
import { AddFriendPane } from "../add-friend/AddFriendPane.tsx";
import { onDemand, useCode } from "../requests/onDemand.ts";
import scroll from "../scrolling/scroll.module.css";
import { SearchBox } from "../search/SearchBox.tsx";
import { useDebouncedSearch } from "../search/useDebouncedSearch.ts";
import { FriendList } from "../sidebar/FriendList.tsx";
import { SearchResults } from "../sidebar/SearchResults.tsx";
import { type AccountDialog, SidebarHeader } from "../sidebar/SidebarHeader.tsx";
import { friendThreads } from "../state/friendList.ts";
import { RowSkeletons } from "../ui/RowSkeletons.tsx";
import row from "../ui/row.module.css";
import { useChat, useChatState } from "../useChat.ts";
import { NoFriends } from "./NoFriends.tsx";
import { useSidebarFocus } from "./useSidebarFocus.ts";

const offerCode = onDemand(() => import("../notification-settings/NotificationsOffer.tsx"), "Notification offers");

export interface SidebarPaneProps {
  className?: string;
  /** False while the thread fills a narrow screen. */
  isShown: boolean;
  isWide: boolean;
  searchText: string;
  onSearchTextChange: (text: string) => void;
  isAdding: boolean;
  onAddingChange: (isAdding: boolean) => void;
  /** Whether a thread is open. */
  hasThread: boolean;
  onOpenDialog: (dialog: AccountDialog) => void;
  /** Called when the user goes to a thread, which may be open already, so that the focus moves into it. */
  onThreadOpened: () => void;
}

/** Renders the account header and below it the friends, the search results or the users to add. */
export function SidebarPane(props: SidebarPaneProps): ReactElement {
  const { searchText, onSearchTextChange, isAdding, onAddingChange: setIsAdding } = props;
  // Deferred, because React renders the list of friends in short tasks then.
  const status = useDeferredValue(useChatState((state) => state.status));
  const hasFriends = useChatState((state) => friendThreads(state).length > 0);
  // The banner of a lost connection is more important, and both would fill half of a phone.
  const offersNotifications = useChatState((state) => state.offersNotifications && state.connection === "connected");
  const { openThread } = useChat();
  const inputRef = useRef<HTMLInputElement>(null);
  const settledText = useDebouncedSearch(searchText);
  const isSearching = searchText.trim() !== "" && settledText !== "";
  const offer = useCode(offerCode, offersNotifications && !isAdding && !isSearching);

  const { paneRef, handleKeyDown, focusSearch } = useSidebarFocus({
    inputRef,
    hasThread: props.hasThread,
    hasOffer: offersNotifications,
    isSearchShown: props.isShown && !isAdding,
    onSearchWanted: () => {
      setIsAdding(false);
      if (!props.isShown) openThread(null);
    },
  });

  function renderList(): ReactElement | null {
    if (status === "loading") {
      return (
        <div className={scroll.area}>
          <RowSkeletons />
        </div>
      );
    }
    if (isSearching) return <SearchResults text={settledText} onContactOpened={handleContactOpened} />;
    if (hasFriends) return <FriendList />;
    if (props.isWide) return <p className={row.note}>Your friends will be shown here</p>;
    return <NoFriends onAddFriend={() => setIsAdding(true)} onShareLink={() => props.onOpenDialog("invite")} />;
  }

  function handleContactOpened(): void {
    onSearchTextChange("");
    props.onThreadOpened();
  }

  function handleAddFriendClick(): void {
    setIsAdding(!isAdding);
    onSearchTextChange("");
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the search box and the list
    <div ref={paneRef} className={props.className} aria-busy={status === "loading"} onKeyDown={handleKeyDown}>
      <SidebarHeader isAddingFriend={isAdding} onAddFriend={handleAddFriendClick} onOpenDialog={props.onOpenDialog} />
      {isAdding ? (
        <AddFriendPane
          inputRef={inputRef}
          onClose={() => {
            setIsAdding(false);
            focusSearch();
          }}
          // On a phone, focusing the search box would open the keyboard.
          onBack={() => setIsAdding(false)}
          onAdded={() => {
            setIsAdding(false);
            props.onThreadOpened();
          }}
        />
      ) : (
        <>
          <SearchBox inputRef={inputRef} label="Search" text={searchText} onTextChange={onSearchTextChange} />
          {offer ? <offer.NotificationsOffer /> : null}
          {renderList()}
        </>
      )}
    </div>
  );
}
