import { memo, type ReactElement } from "react";
import { SendStateMark } from "../../rows/SendStateMark.tsx";
import type { ThreadMessage } from "../../view/model.ts";
import { useChatSelector } from "../../view/useChatSelector.ts";
import { isEmojiOnly } from "./isEmojiOnly.ts";
import css from "./MessageRow.module.css";
import { MessageText } from "./MessageText.tsx";
import { MessageTimestamp } from "./MessageTimestamp.tsx";

export interface MessageRowProps {
  message: ThreadMessage;
  friendName: string;
  /** The next message is of the same person and day: it stands close below. */
  isFollowed: boolean;
  /** Which of the jumps highlighted it, or 0. */
  highlight: number;
}

/** One message in its bubble with its time and, when it is an own one, how far it has come. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps): ReactElement {
  const { message, friendName, isFollowed, highlight } = props;
  const isNotSent = message.sendState === "not-sent";
  const classes = [
    css.row,
    message.isMine ? css.own : css.friend,
    isFollowed && css.followed,
    isEmojiOnly(message.text) && css.emoji,
    // Two names for one animation: the second jump to the same message plays it again.
    highlight > 0 && (highlight % 2 === 0 ? css.highlightEven : css.highlightOdd),
  ];

  return (
    <article
      className={classes.filter(Boolean).join(" ")}
      aria-label={message.isMine ? "You" : friendName}
      data-highlighted={highlight > 0 || undefined}
    >
      <div className={css.bubble}>
        <div className={css.text} dir="auto">
          <MessageText text={message.text} />
        </div>
        <div className={css.meta}>
          <MessageTimestamp timestamp={message.timestamp} />
          {message.sendState ? <SendStateMark state={message.sendState} /> : null}
        </div>
      </div>
      {isNotSent ? <NotSentActions message={message} /> : null}
    </article>
  );
});

function NotSentActions({ message: { key, notSentReason } }: { message: ThreadMessage }): ReactElement {
  const retryMessage = useChatSelector((chat) => chat.retryMessage);
  const deleteMessage = useChatSelector((chat) => chat.deleteMessage);
  return (
    <div className={css.notSent}>
      <span>{notSentReason ? `Not sent: ${notSentReason}` : "Not sent"}</span>
      <button type="button" className={css.action} onClick={() => retryMessage(key)}>
        Retry
      </button>
      <button type="button" className={css.action} onClick={() => deleteMessage(key)}>
        Delete
      </button>
    </div>
  );
}
