import { summaryOf } from "@messageoh/contracts/attachments";
import { isDeleted } from "@messageoh/contracts/avatars";
import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import { memo, type ReactElement } from "react";
import { lastMessage, type ThreadMessage } from "../state/thread/shownMessages.ts";
import type { Thread } from "../state/thread/thread.ts";
import { countUnread } from "../state/thread/unread.ts";
import { shortAge } from "../time/relativeTime.ts";
import { useTimeLabel } from "../time/useTimeLabel.ts";
import { MutedMark } from "../ui/MutedMark.tsx";
import { PresenceAvatar } from "../ui/PresenceAvatar.tsx";
import row from "../ui/row.module.css";
import { SendStateMark } from "../ui/SendStateMark.tsx";
import { UnreadMarker } from "../ui/UnreadMarker.tsx";
import { useChatState } from "../useChat.ts";
import css from "./FriendListItem.module.css";
import { preview } from "./preview.ts";

export interface FriendListItemProps {
  thread: Thread;
  isActive: boolean;
  isTabStop: boolean;
  onOpen: (friendId: string) => void;
}

/** Renders a friend with the last message, its time and the unread count. */
export const FriendListItem = memo(function FriendListItem(props: FriendListItemProps): ReactElement | null {
  const { thread } = props;
  const { threadId, friendId } = thread;
  const friend = useChatState((state) => state.friends.get(friendId));
  const isOnline = useChatState((state) => state.onlineIds.has(friendId));
  const isTyping = useChatState((state) => state.typingIn.has(threadId));
  const hasDraft = useChatState((state) => state.draftIn.has(threadId));
  if (!friend) return null;
  // Nobody can send or remove a draft to a deleted account.
  const isDraftShown = hasDraft && !props.isActive && !isDeleted(friend);
  const isMuted = friend.is_muted === true;
  const message = lastMessage(thread);
  const unreadCount = countUnread(thread);

  return (
    <a
      href={`/home/${encodeURIComponent(friend.id)}`}
      data-row={friend.id}
      className={unreadCount > 0 && !isMuted ? `${row.row} ${css.unread}` : row.row}
      aria-current={props.isActive ? "page" : undefined}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={onPlainClick(() => props.onOpen(friend.id))}
    >
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={isOnline} isTyping={isTyping} />
      <span className={row.text}>
        <span className={row.line}>
          <span className={row.name} dir="auto">
            {friend.name}
          </span>
          {isMuted ? <MutedMark /> : null}
          {friend.has_notice ? <span className={css.notice}>Added you</span> : null}
          {isDraftShown ? <span className={css.draft}>Draft</span> : null}
          {message ? <Age message={message} /> : null}
        </span>
        {message ? (
          <span className={`${row.line} ${css.preview}`}>
            <Preview message={message} />
            <UnreadMarker count={unreadCount} isMuted={isMuted} />
          </span>
        ) : null}
      </span>
    </a>
  );
});

/** Renders the preview of a message; for an own one with "You" and its send state. */
function Preview({ message }: { message: ThreadMessage }): ReactElement {
  return (
    <>
      <span className={`${row.muted} ${css.words}`} dir="auto">
        {message.isMine ? <span>You: </span> : null}
        <bdi className={message.isDeleted ? css.deleted : undefined}>{preview(summaryOf(message))}</bdi>
      </span>
      {message.sendState ? (
        <span className={`${row.muted} ${row.mark}`}>
          <SendStateMark state={message.sendState} />
        </span>
      ) : null}
    </>
  );
}

function Age({ message }: { message: ThreadMessage }): ReactElement {
  const age = useTimeLabel((now) => shortAge(message.timestamp, now));
  return (
    <time className={`${row.muted} ${row.end} ${css.age}`} dateTime={message.timestamp}>
      {age}
    </time>
  );
}
