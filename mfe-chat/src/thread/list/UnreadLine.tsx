import type { ReactElement } from "react";
import { useTimeLabel } from "../../time/useTimeLabel.ts";
import { newMessages } from "../days/newMessages.ts";
import css from "./UnreadLine.module.css";

export interface UnreadLineProps {
  count: number;
  /** Time of the first of them. */
  timestamp: string;
}

/** Renders the line above the messages that were unread when the thread was opened. */
export function UnreadLine({ count, timestamp }: UnreadLineProps): ReactElement {
  const label = useTimeLabel((now) => newMessages(count, timestamp, now));
  return (
    <p className={css.line}>
      <span>{label}</span>
    </p>
  );
}
