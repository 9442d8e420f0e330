import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import type { ReactElement } from "react";
import { RetryButton } from "../../requests/RetryButton.tsx";
import type { Thread } from "../../state/thread/thread.ts";
import { hasGap, hasNewer, hasOlder } from "../../state/thread/window.ts";
import { useChat } from "../../useChat.ts";
import { DayHeading } from "../days/DayHeading.tsx";
import css from "./HistoryEdge.module.css";

/** Height in px, which the list needs for its offsets. */
export const HISTORY_EDGE_PX = 112;

export interface HistoryEdgeProps {
  thread: Thread;
  /** Timestamp of the first loaded message. */
  timestamp: string | undefined;
  dayLevel: 2 | 3;
}

/**
 * Renders the edge above the first loaded message: its day and the state of loading older ones. Its height is constant,
 * so that nothing below it moves.
 */
export function HistoryEdge({ thread, timestamp, dayLevel }: HistoryEdgeProps): ReactElement {
  const { loadOlder } = useChat().messages;
  return (
    <div className={css.edge} style={{ height: HISTORY_EDGE_PX }}>
      {hasOlder(thread) ? <EdgeState thread={thread} onRetry={() => void loadOlder(thread.threadId)} /> : null}
      {timestamp ? <DayHeading timestamp={timestamp} level={dayLevel} /> : null}
    </div>
  );
}

/** Renders the edge below the last loaded message if there are newer ones. */
export function NewerEdge({ thread }: { thread: Thread }): ReactElement {
  const { loadNewer } = useChat().messages;
  return (
    <div className={css.newer}>
      {hasNewer(thread) ? <EdgeState thread={thread} onRetry={() => void loadNewer(thread.threadId)} /> : null}
      {!hasNewer(thread) && hasGap(thread) ? <Spinner label="Loading messages" /> : null}
    </div>
  );
}

function EdgeState({ thread, onRetry }: { thread: Thread; onRetry: () => void }): ReactElement {
  if (!thread.hasFailed) return <Spinner label="Loading messages" />;
  return (
    <p className={css.failure}>
      {GENERIC_ERROR}
      <RetryButton variant="quiet" onClick={onRetry} />
    </p>
  );
}
