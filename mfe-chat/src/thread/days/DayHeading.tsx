import type { ReactElement } from "react";
import { useTimeLabel } from "../../time/useTimeLabel.ts";
import css from "./DayHeading.module.css";
import { dayHeading } from "./dayHeading.ts";

export interface DayHeadingProps {
  timestamp: string;
  /** `null` if another visible heading shows the same day. */
  level: 2 | 3 | null;
}

/** Renders the day of the messages below it; it changes from Today to Yesterday at midnight. */
export function DayHeading({ timestamp, level }: DayHeadingProps): ReactElement {
  const label = useTimeLabel((now) => dayHeading(timestamp, now));
  const Heading = level === null ? "p" : (`h${level}` as const);
  return <Heading className={css.heading}>{label}</Heading>;
}
