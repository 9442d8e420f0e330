import type { ReactElement } from "react";
import { messageStamp, RELATIVE_TIME_LIMIT_MS } from "../../time/relativeTime.ts";
import { useTimeLabel } from "../../time/useTimeLabel.ts";

/** Returns the time of a message as text; it uses no timer once this is the clock time. */
export function useMessageStamp(timestamp: string): string {
  return useTimeLabel((now) => messageStamp(timestamp, now), Date.parse(timestamp) + RELATIVE_TIME_LIMIT_MS);
}

/**
 * Renders the time of a message.
 * @param stamp see {@link useMessageStamp}
 */
export function MessageTimestamp({ timestamp, stamp }: { timestamp: string; stamp: string }): ReactElement {
  return (
    <time dateTime={timestamp} title={new Date(timestamp).toLocaleString()}>
      {stamp}
    </time>
  );
}
