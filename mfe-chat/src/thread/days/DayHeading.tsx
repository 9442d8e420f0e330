import type { ReactElement } from "react";
import { useTimeLabel } from "../../time/useTimeLabel.ts";
import css from "./DayHeading.module.css";
import { dayHeading } from "./dayHeading.ts";

export interface DayHeadingProps {
  timestamp: string;
  /** Null where a heading says the same already. */
  level: 2 | 3 | null;
}

/** The day of the messages below it; turns from Today to Yesterday by itself. */
export function DayHeading({ timestamp, level }: DayHeadingProps): ReactElement {
  const label = useTimeLabel((now) => dayHeading(timestamp, now));
  const Heading = level === null ? "p" : (`h${level}` as const);
  return <Heading className={css.heading}>{label}</Heading>;
}
