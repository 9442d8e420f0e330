import type { ReactElement } from "react";
import { messageStamp, RELATIVE_TIME_LIMIT_MS } from "../../time/relativeTime.ts";
import { useTimeLabel } from "../../time/useTimeLabel.ts";

/** Renders the time of a message; it uses no timer once it shows the clock time. */
export function MessageTimestamp({ timestamp }: { timestamp: string }): ReactElement {
  const stamp = useTimeLabel((now) => messageStamp(timestamp, now), Date.parse(timestamp) + RELATIVE_TIME_LIMIT_MS);
  return (
    <time dateTime={timestamp} title={new Date(timestamp).toLocaleString()}>
      {stamp}
    </time>
  );
}
