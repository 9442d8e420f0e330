import type { ReactElement } from "react";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { useChatState } from "../../useChat.ts";
import type { Act } from "../menu/useRowActions.tsx";
import row from "./MessageRow.module.css";
import css from "./UploadLine.module.css";

/** Renders how much of a message's files has arrived, below its bubble. */
export function UploadLine({ message, onAct }: { message: ThreadMessage; onAct: Act }): ReactElement {
  // Unknown in a tab that does not upload, while others of the thread are first, and without a connection.
  const share = useChatState(({ uploads, connection }) =>
    connection === "offline" || connection === "unreachable" ? undefined : uploads.get(message.key),
  );
  const state = share === undefined ? "Waiting" : share < 1 ? `${Math.floor(share * 100)} %` : "Processing";
  return (
    <div className={css.line}>
      <progress className={css.progress} aria-label="Upload" value={share ?? 0} max={1} />
      <span className={css.state}>{state}</span>
      <button type="button" className={row.action} onClick={() => onAct("delete", message)}>
        Cancel
      </button>
    </div>
  );
}
