import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import { memo, type ReactElement } from "react";
import { shortAge } from "../time/relativeTime.ts";
import { useTimeLabel } from "../time/useTimeLabel.ts";
import { MutedMark } from "../ui/MutedMark.tsx";
import { PresenceAvatar } from "../ui/PresenceAvatar.tsx";
import row from "../ui/row.module.css";
import { SendStateMark } from "../ui/SendStateMark.tsx";
import type { FriendEntry, ThreadMessage } from "../view/model.ts";
import css from "./FriendListItem.module.css";
import { preview } from "./preview.ts";
import { UnreadMarker } from "./UnreadMarker.tsx";

export interface FriendListItemProps {
  entry: FriendEntry;
  isActive: boolean;
  isTabStop: boolean;
  onOpen: (friendId: string) => void;
}

/** Renders a friend with the last message, its time and the unread count. */
export const FriendListItem = memo(function FriendListItem(props: FriendListItemProps): ReactElement {
  const { friend, isOnline, hasDraft, isMuted, hasNotice, thread } = props.entry;
  const { lastMessage, unreadCount } = thread;

  return (
    <a
      href={`/home/${encodeURIComponent(friend.id)}`}
      data-row={friend.id}
      className={unreadCount > 0 && !isMuted ? `${row.row} ${css.unread}` : row.row}
      aria-current={props.isActive ? "page" : undefined}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={onPlainClick(() => props.onOpen(friend.id))}
    >
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={isOnline} isTyping={thread.isFriendTyping} />
      <span className={row.text}>
        <span className={row.line}>
          <span className={row.name}>{friend.name}</span>
          {isMuted ? <MutedMark /> : null}
          {hasNotice ? <span className={css.notice}>Added you</span> : null}
          {hasDraft && !props.isActive ? <span className={css.draft}>Draft</span> : null}
          {lastMessage ? <Age message={lastMessage} /> : null}
        </span>
        {lastMessage ? (
          <span className={`${row.line} ${css.preview}`}>
            <Preview message={lastMessage} />
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
        <bdi>{preview(message.text)}</bdi>
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
