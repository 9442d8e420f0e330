import type { Message } from "@messageoh/contracts/messages";
import type { Friend } from "@messageoh/contracts/users";
import { memo, type ReactElement, useMemo } from "react";
import { shortAge } from "../time/relativeTime.ts";
import { useTimeLabel } from "../time/useTimeLabel.ts";
import { PresenceAvatar } from "../ui/PresenceAvatar.tsx";
import row from "../ui/row.module.css";
import { excerpt } from "./excerpt.ts";
import css from "./MessageResult.module.css";

export interface MessageResultProps {
  message: Message;
  friend: Friend;
  text: string;
  rowKey: string;
  isTabStop: boolean;
  onOpen: (message: Message) => void;
}

/** Renders a message that matches: friend, time and excerpt. */
export const MessageResult = memo(function MessageResult(props: MessageResultProps): ReactElement {
  const { message, friend, text } = props;
  const age = useTimeLabel((now) => shortAge(message.timestamp, now));
  const parts = useMemo(() => excerpt(message.text, text), [message.text, text]);
  const isMine = message.sending_user_id !== friend.id;

  return (
    <button
      type="button"
      data-row={props.rowKey}
      className={row.row}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={() => props.onOpen(message)}
    >
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={false} />
      <span className={row.text}>
        <span className={row.line}>
          <span className={row.name} dir="auto">
            {friend.name}
          </span>
          <time className={`${row.muted} ${row.end}`} dateTime={message.timestamp}>
            {age}
          </time>
        </span>
        <span className={`${row.muted} ${css.excerpt}`} dir="auto">
          {isMine ? "You: " : null}
          <bdi>
            {parts.map((part, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts are always recreated together
              part.isMatch ? <b key={index}>{part.text}</b> : part.text,
            )}
          </bdi>
        </span>
      </span>
    </button>
  );
});
