import type { ReactElement } from "react";
import { useChat } from "../../useChat.ts";
import css from "./BubbleQuote.module.css";
import { Quote, type QuoteProps } from "./Quote.tsx";

/** Renders the message that a message replies to, as a button that jumps to it. */
export function BubbleQuote({ isTabStop, ...quote }: QuoteProps & { isTabStop: boolean }): ReactElement {
  const { jumpToMessage } = useChat();
  return (
    <button
      type="button"
      className={css.button}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => void jumpToMessage({ thread_id: quote.threadId, seq: quote.seq })}
    >
      <Quote {...quote} />
    </button>
  );
}
