import { summaryOf } from "@messageoh/contracts/attachments";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { Skeleton } from "@messageoh/ui-kit/feedback/Skeleton";
import type { ReactElement } from "react";
import { useAttempts } from "../../requests/useAttempts.ts";
import { isHidden } from "../../state/thread/privateMarks.ts";
import { messageAt } from "../../state/thread/segments.ts";
import { DELETED_TEXT, rowOf } from "../../state/thread/shownMessages.ts";
import { useChat, useChatState } from "../../useChat.ts";
import css from "./Quote.module.css";

export interface QuoteProps {
  threadId: string;
  /** Number of the quoted message. */
  seq: number;
  friendName: string;
}

/** Renders the sender and the first line of a message of the thread, which is loaded if it is missing. */
export function Quote({ threadId, seq, friendName }: QuoteProps): ReactElement {
  const { loadQuoted } = useChat().messages;
  const thread = useChatState((state) => state.threads.get(threadId));
  const stored = thread && messageAt(thread.segments, seq);
  const isGone = thread !== undefined && isHidden(thread, seq);
  const isMissing = stored === undefined && !isGone;
  const connection = useChatState((state) => state.connection);

  useAttempts(() => loadQuoted(threadId, seq), isMissing, `${threadId} ${seq} ${connection}`);

  if (isGone) {
    return (
      <span className={css.quote}>
        <span className={`${css.text} ${css.deleted}`}>{DELETED_TEXT}</span>
      </span>
    );
  }
  // The placeholder is as high as the quote, so that nothing moves when it is loaded.
  if (!thread || !stored) {
    return (
      <span className={css.quote} aria-busy="true">
        <VisuallyHidden>Quoted message</VisuallyHidden>
        <Skeleton width="6rem" height="0.75rem" />
        <Skeleton width="10rem" height="0.75rem" />
      </span>
    );
  }
  const quoted = rowOf(stored, thread);
  const { isMine, isDeleted } = quoted;
  return (
    <span className={css.quote}>
      <bdi className={css.name}>{isMine ? "You" : friendName}</bdi>
      <span className={isDeleted ? `${css.text} ${css.deleted}` : css.text} dir="auto">
        {summaryOf(quoted)}
      </span>
    </span>
  );
}
