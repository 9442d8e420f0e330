import type { ReactElement, ReactNode } from "react";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { useChatState } from "../../useChat.ts";
import css from "./UploadLine.module.css";

export interface UploadLineProps {
  message: ThreadMessage;
  /** The button that cancels the upload. */
  children: ReactNode;
}

/** Renders how much of a message's files has arrived, below its bubble. */
export function UploadLine({ message, children }: UploadLineProps): ReactElement {
  // Unknown in a tab that does not upload, while the files are prepared or others of the thread are first, and without
  // a connection.
  const share = useChatState(({ uploads, connection }) =>
    connection === "offline" || connection === "unreachable" ? undefined : uploads.get(message.key),
  );
  const state = share === undefined ? "Waiting" : share < 1 ? `${Math.floor(share * 100)} %` : "Processing";
  return (
    <div className={css.line}>
      <progress className={css.progress} aria-label="Upload" value={share ?? 0} max={1} />
      <span className={css.state}>{state}</span>
      {children}
    </div>
  );
}
