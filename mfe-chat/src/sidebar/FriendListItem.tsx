import { Icon } from "@messageoh/ui-kit/Icon";
import { onPlainClick } from "@messageoh/ui-kit/onPlainClick";
import { VisuallyHidden } from "@messageoh/ui-kit/VisuallyHidden";
import { memo, type ReactElement } from "react";
import { PresenceAvatar } from "../rows/PresenceAvatar.tsx";
import row from "../rows/row.module.css";
import { shortAge } from "../time/relativeTime.ts";
import { useTimeLabel } from "../time/useTimeLabel.ts";
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

/** One friend: who it is, what was said last and when, and how much of it is unread. */
export const FriendListItem = memo(function FriendListItem(props: FriendListItemProps): ReactElement {
  const { friend, isOnline, thread } = props.entry;
  const { lastMessage, unreadCount } = thread;

  return (
    <a
      href={`/home/${encodeURIComponent(friend.id)}`}
      data-row={friend.id}
      className={unreadCount > 0 ? `${row.row} ${css.unread}` : row.row}
      aria-current={props.isActive ? "page" : undefined}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={onPlainClick(() => props.onOpen(friend.id))}
    >
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={isOnline} />
      <span className={row.text}>
        <span className={row.line}>
          <span className={row.name}>{friend.name}</span>
          {lastMessage ? <Age message={lastMessage} /> : null}
        </span>
        {lastMessage || thread.isFriendTyping ? (
          <span className={`${row.line} ${css.preview}`}>
            {thread.isFriendTyping ? <span className={css.typing}>Typing...</span> : null}
            {lastMessage && !thread.isFriendTyping ? <Preview message={lastMessage} /> : null}
            <UnreadMarker count={unreadCount} />
          </span>
        ) : null}
      </span>
    </a>
  );
});

function Preview({ message }: { message: ThreadMessage }): ReactElement {
  const isNotSent = message.sendState === "not-sent";
  return (
    <>
      {isNotSent ? (
        <span className={css.notSent} title="Not sent">
          <Icon name="alert" size="1.125em" />
          <VisuallyHidden>Not sent: </VisuallyHidden>
        </span>
      ) : null}
      <span className={`${row.muted} ${css.words}`} dir="auto">
        {preview(message.text)}
      </span>
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
