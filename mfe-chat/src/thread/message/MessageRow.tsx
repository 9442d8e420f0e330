import { Icon } from "@messageoh/ui-kit/basics/Icon";
import { memo, type ReactElement, useId } from "react";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { SendStateMark } from "../../ui/SendStateMark.tsx";
import { useChat } from "../../useChat.ts";
import { isEmojiOnly } from "./isEmojiOnly.ts";
import css from "./MessageRow.module.css";
import { MessageText } from "./MessageText.tsx";
import { MessageTimestamp, useMessageStamp } from "./MessageTimestamp.tsx";

export interface MessageRowProps {
  message: ThreadMessage;
  friendName: string;
  /** The next message has the same sender and day, so the gap to it is small. */
  isFollowed: boolean;
  /** Nonce of the jump that highlighted the message, or 0. */
  highlight: number;
  /** Whether Tab reaches the button of this message; arrows move between the buttons. */
  isTabStop: boolean;
  isMenuOpen: boolean;
  onDelete: (key: string) => void;
}

/** Renders a message with its time, the button of its menu and, for an own message, its send state. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps): ReactElement {
  const { message, friendName, isFollowed, highlight, isTabStop, isMenuOpen, onDelete } = props;
  const textId = useId();
  const stamp = useMessageStamp(message.timestamp);
  const isNotSent = message.sendState === "not-sent";
  const classes = [
    css.row,
    message.isMine ? css.own : css.friend,
    isFollowed && css.followed,
    isEmojiOnly(message.text) && css.emoji,
    // Two names for one animation, so that a second jump to the same message plays it again.
    highlight > 0 && (highlight % 2 === 0 ? css.highlightEven : css.highlightOdd),
  ];

  return (
    <article
      className={classes.filter(Boolean).join(" ")}
      aria-label={message.isMine ? "You" : friendName}
      data-highlighted={highlight > 0 || undefined}
    >
      <div className={css.line}>
        <div className={css.bubble}>
          {/* The stylesheet keeps space for the time and the state at the end of the last line. */}
          <div id={textId} className={css.text} dir="auto" data-stamp={stamp}>
            {/* Direction marks in the text must not move the time. */}
            <span className={css.words}>
              <MessageText text={message.text} />
            </span>
          </div>
          <div className={css.meta}>
            <MessageTimestamp timestamp={message.timestamp} stamp={stamp} />
            {message.sendState ? <SendStateMark state={message.sendState} /> : null}
          </div>
        </div>
        {/* The list opens the menu. */}
        <button
          type="button"
          className={css.more}
          data-row={message.key}
          tabIndex={isTabStop ? 0 : -1}
          aria-label="Message actions"
          aria-describedby={textId}
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
        >
          <Icon name="more" size="1.25rem" />
        </button>
      </div>
      {isNotSent ? <NotSentActions message={message} onDelete={onDelete} /> : null}
    </article>
  );
});

function NotSentActions({ message, onDelete }: Pick<MessageRowProps, "message" | "onDelete">): ReactElement {
  const { key, notSentReason } = message;
  const { retry: retryMessage } = useChat().messages;
  return (
    <div className={css.notSent}>
      <span>{notSentReason ? `Not sent: ${notSentReason}` : "Not sent"}</span>
      <button type="button" className={css.action} onClick={() => retryMessage(key)}>
        Retry
      </button>
      <button type="button" className={css.action} onClick={() => onDelete(key)}>
        Delete
      </button>
    </div>
  );
}
