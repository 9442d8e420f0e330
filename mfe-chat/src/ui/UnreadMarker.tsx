import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import type { ReactElement } from "react";
import css from "./UnreadMarker.module.css";

const MOST_SHOWN = 99;

export interface UnreadMarkerProps {
  count: number;
  /** A muted thread has a quiet marker. */
  isMuted: boolean;
}

/** Renders the number of unread messages of a thread. */
export function UnreadMarker({ count, isMuted }: UnreadMarkerProps): ReactElement | null {
  if (count === 0) return null;
  return (
    <span className={isMuted ? `${css.marker} ${css.muted}` : css.marker}>
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
      <VisuallyHidden> unread {count === 1 ? "message" : "messages"}</VisuallyHidden>
    </span>
  );
}
