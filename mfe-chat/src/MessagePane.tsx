import { EmptyState } from "@messageoh/ui-kit/EmptyState";
import messageArt from "@messageoh/ui-kit/message.svg";
import { type ReactElement, useRef } from "react";
import { NoFriends } from "./layout/NoFriends.tsx";
import css from "./MessagePane.module.css";
import { useChatSelector } from "./state/ChatProvider.tsx";
import { ThreadPane } from "./thread/ThreadPane.tsx";

export interface MessagePaneProps {
  isWide: boolean;
  isSearching: boolean;
}

/** The open thread, or what to do while none is open. */
export function MessagePane({ isWide, isSearching }: MessagePaneProps): ReactElement | null {
  const status = useChatSelector((chat) => chat.status);
  const active = useChatSelector((chat) => chat.active);
  const hasFriends = useChatSelector((chat) => chat.friends.length > 0);
  const openThread = useChatSelector((chat) => chat.openThread);
  const madeJump = useRef(0);

  if (active) {
    return (
      <ThreadPane
        key={active.thread.threadId}
        entry={active}
        onBack={isWide ? null : () => openThread(null)}
        madeJump={madeJump}
        isFocusWanted={!isSearching}
      />
    );
  }
  // A narrow screen says it in its one pane, the list.
  if (!isWide || status === "loading") return null;
  if (!hasFriends) return <NoFriends className={css.empty} />;
  return (
    <EmptyState
      className={css.empty}
      art={messageArt}
      title="Choose a friend"
      text="Your messages will be shown here"
    />
  );
}
