import { summaryOf } from "@messageoh/contracts/attachments";
import { HOPS_MAX } from "@messageoh/contracts/limits";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { type CSSProperties, memo, type ReactElement, useId, useRef } from "react";
import { isAnswerable } from "../../state/thread/messageRights.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { SendStateMark } from "../../ui/SendStateMark.tsx";
import { Attachments } from "../attachments/Attachments.tsx";
import { UploadLine } from "../attachments/UploadLine.tsx";
import { LinkCard } from "../link-preview/LinkCard.tsx";
import type { Act } from "../menu/useRowActions.tsx";
import { Reactions } from "../reactions/Reactions.tsx";
import { BubbleQuote } from "../reply/BubbleQuote.tsx";
import type { Choose } from "../selection/useSelection.ts";
import { isEmojiOnly } from "../text/isEmojiOnly.ts";
import { MessageText } from "../text/MessageText.tsx";
import { MessageMarks, markNames } from "./MessageMarks.tsx";
import css from "./MessageRow.module.css";
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
  /** Whether the friend can still be written to. */
  canWrite: boolean;
  /** Whether the message is selected; `null` while the user selects none. */
  isChosen: boolean | null;
  onChoose: Choose;
  onAct: Act;
}

const EDITED = "Edited";

/** Renders a message with its time, the button of its menu and, for an own message, its send state. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps): ReactElement {
  const { message, friendName, isFollowed, highlight, isMenuOpen, canWrite, isChosen, onChoose, onAct } = props;
  const { threadId, isDeleted, editCount, replyTo, reactions, attachments, forwarded, isPinned, isStarred } = message;
  const { preview } = message;
  const isSelecting = isChosen !== null;
  // The check box is the only control of a row then.
  const isTabStop = props.isTabStop && !isSelecting;
  const sender = message.isMine ? "You" : friendName;
  const label = forwarded ? forwardedLabel(forwarded) : null;
  const isOnlyPictures = message.text === "" && attachments?.every(({ kind }) => kind === "picture");
  const textId = useId();
  const labelId = useId();
  const contentIds = label ? `${labelId} ${textId}` : textId;
  const more = useRef<HTMLButtonElement>(null);
  const stamp = useMessageStamp(message.timestamp);
  const marks = markNames(message);
  const isNotSent = message.sendState === "not-sent";
  const classes = [
    css.row,
    message.isMine ? css.own : css.friend,
    isFollowed && css.followed,
    attachments ? css.attached : isEmojiOnly(message.text) && css.emoji,
    isOnlyPictures && css.onlyPictures,
    preview && css.linked,
    isDeleted && css.deleted,
    reactions && css.reacted,
    isSelecting && css.selecting,
    // Two names for one animation, so that a second jump to the same message plays it again.
    highlight > 0 && (highlight % 2 === 0 ? css.highlightEven : css.highlightOdd),
  ];

  return (
    <article
      className={classes.filter(Boolean).join(" ")}
      aria-label={[sender, label?.toLowerCase(), ...marks].filter(Boolean).join(", ")}
      data-highlighted={highlight > 0 || undefined}
    >
      <div className={css.line} data-swipe>
        <div className={css.bubble}>
          {label ? (
            <div id={labelId} className={css.forwarded}>
              <Icon icon={icons.forwardMessage} size="1rem" />
              {label}
            </div>
          ) : null}
          {replyTo !== undefined && !isDeleted ? (
            <BubbleQuote threadId={threadId} seq={replyTo} friendName={friendName} isTabStop={isTabStop} />
          ) : null}
          {attachments ? (
            <Attachments
              message={message}
              friendName={friendName}
              isTabStop={isTabStop}
              onOpen={(picture, opener) => onAct("view", message, { opener, picture })}
            />
          ) : null}
          {/* The stylesheet keeps space for the time and the state at the end of the last line. */}
          <div
            id={textId}
            className={css.text}
            dir="auto"
            data-stamp={editCount ? `${EDITED} ${stamp}` : stamp}
            style={marks.length > 0 ? ({ "--marks": marks.length } as CSSProperties) : undefined}
          >
            {/* Direction marks in the text must not move the time. */}
            <div className={css.words}>
              {message.text === "" ? (
                <VisuallyHidden>{summaryOf(message)}</VisuallyHidden>
              ) : (
                <MessageText text={message.text} isTabStop={isTabStop} />
              )}
            </div>
          </div>
          {preview ? <LinkCard preview={preview} isTabStop={isTabStop} /> : null}
          <div className={css.meta}>
            {editCount ? (
              <button
                type="button"
                className={css.edited}
                title="Edit history"
                tabIndex={isTabStop ? 0 : -1}
                onClick={(event) => onAct("history", message, { opener: event.currentTarget })}
              >
                {EDITED}
              </button>
            ) : null}
            <MessageMarks isPinned={isPinned} isStarred={isStarred} />
            <MessageTimestamp timestamp={message.timestamp} stamp={stamp} />
            {message.sendState ? <SendStateMark state={message.sendState} /> : null}
          </div>
        </div>
        {reactions ? (
          <Reactions
            message={message}
            reactions={reactions}
            friendName={friendName}
            canReact={canWrite}
            isTabStop={isTabStop}
          />
        ) : null}
        {isSelecting ? null : (
          <div className={css.actions}>
            {/* The list opens the menu. */}
            <button
              type="button"
              ref={more}
              className={css.more}
              data-row={message.key}
              tabIndex={isTabStop ? 0 : -1}
              aria-label="Message actions"
              aria-describedby={contentIds}
              aria-haspopup="menu"
              aria-expanded={isMenuOpen}
            >
              <Icon icon={icons.more} size="1.25rem" />
            </button>
            {canWrite && isAnswerable(message) ? (
              <>
                <QuickButton icon={icons.reply} label="Reply" onAct={() => onAct("reply", message)} />
                <QuickButton
                  icon={icons.smile}
                  label="React"
                  onAct={() => onAct("react", message, { opener: more.current })}
                />
              </>
            ) : null}
          </div>
        )}
      </div>
      {isSelecting && isAnswerable(message) ? (
        // It covers the row, so that a press anywhere selects the message.
        <label className={css.choice}>
          <input
            type="checkbox"
            className={css.check}
            data-row={message.key}
            tabIndex={props.isTabStop ? 0 : -1}
            aria-labelledby={contentIds}
            checked={isChosen}
            onChange={(event) => onChoose([message.seq ?? 0], event.target.checked)}
          />
        </label>
      ) : null}
      {message.isUploading ? (
        <UploadLine message={message}>
          <button type="button" className={css.action} onClick={() => onAct("delete", message)}>
            Cancel
          </button>
        </UploadLine>
      ) : null}
      {isNotSent ? <NotSentActions message={message} onAct={onAct} /> : null}
    </article>
  );
});

const forwardedLabel = (hops: number): string => (hops >= HOPS_MAX ? "Forwarded many times" : "Forwarded");

interface QuickButtonProps {
  icon: icons.IconShape;
  label: string;
  onAct: () => void;
}

/** Renders a button for the mouse. The menu is the way for keyboards and touch screens. */
function QuickButton({ icon, label, onAct }: QuickButtonProps): ReactElement {
  return (
    <button
      type="button"
      className={css.quick}
      tabIndex={-1}
      aria-label={label}
      title={label}
      // The button disappears when the mouse leaves the row, and must not take the focus with it.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onAct}
    >
      <Icon icon={icon} size="1.25rem" />
    </button>
  );
}

function NotSentActions({ message, onAct }: Pick<MessageRowProps, "message" | "onAct">): ReactElement {
  const { notSentReason } = message;
  return (
    <div className={css.notSent}>
      <span>{notSentReason ? `Not sent: ${notSentReason}` : "Not sent"}</span>
      <button type="button" className={css.action} onClick={() => onAct("retry", message)}>
        Retry
      </button>
      <button type="button" className={css.action} onClick={() => onAct("delete", message)}>
        Delete
      </button>
    </div>
  );
}
