import { EmptyState } from "@messageoh/ui-kit/feedback/EmptyState";
import messageArt from "@messageoh/ui-kit/message.svg";
import { type ReactElement, useRef } from "react";
import { activeThread, friendThreads } from "../state/friendList.ts";
import { LoadingThread } from "../thread/LoadingThread.tsx";
import { ThreadPane } from "../thread/ThreadPane.tsx";
import { useChat, useChatState } from "../useChat.ts";
import css from "./MessagePane.module.css";
import { NoFriends } from "./NoFriends.tsx";

export interface MessagePaneProps {
  isWide: boolean;
  isSearching: boolean;
  /** Increases to move the focus into the open thread. */
  focusRequest: number;
  onAddFriend: () => void;
  onShareLink: () => void;
}

/** Renders the open thread, or a hint while none is open. */
export function MessagePane({
  isWide,
  isSearching,
  focusRequest,
  onAddFriend,
  onShareLink,
}: MessagePaneProps): ReactElement | null {
  const status = useChatState((state) => state.status);
  const thread = useChatState(activeThread);
  const isThreadWanted = useChatState(({ openFriendId }) => openFriendId !== null);
  const friend = useChatState(({ friends, openFriendId }) => friends.get(openFriendId ?? ""));
  const hasFriends = useChatState((state) => friendThreads(state).length > 0);
  const { openThread } = useChat();
  const madeJump = useRef(0);

  if (thread && friend) {
    return (
      <ThreadPane
        key={thread.threadId}
        friend={friend}
        thread={thread}
        onBack={isWide ? null : () => openThread(null)}
        madeJump={madeJump}
        isFocusWanted={!isSearching}
        focusRequest={focusRequest}
      />
    );
  }
  if (status === "loading") return isThreadWanted ? <LoadingThread /> : null;
  // On a narrow screen the list shows this hint.
  if (!isWide) return null;
  if (!hasFriends) return <NoFriends className={css.empty} onAddFriend={onAddFriend} onShareLink={onShareLink} />;
  return (
    <EmptyState
      className={css.empty}
      art={messageArt}
      title="Choose a friend"
      text="Your messages will be shown here"
    />
  );
}
