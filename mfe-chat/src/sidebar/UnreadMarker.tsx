import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import type { ReactElement } from "react";
import css from "./UnreadMarker.module.css";

const MOST_SHOWN = 99;

/** Renders the number of unread messages of a thread. */
export function UnreadMarker({ count }: { count: number }): ReactElement | null {
  if (count === 0) return null;
  return (
    <span className={css.marker}>
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
      <VisuallyHidden> unread {count === 1 ? "message" : "messages"}</VisuallyHidden>
    </span>
  );
}
