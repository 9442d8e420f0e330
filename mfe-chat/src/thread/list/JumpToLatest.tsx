import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import type { ReactElement } from "react";
import { useFocusLost } from "../../keyboard/useFocusLost.ts";
import { UnreadMarker } from "../../ui/UnreadMarker.tsx";
import css from "./JumpToLatest.module.css";

export interface JumpToLatestProps {
  /** Number of new messages below. */
  count: number;
  /** Goes to the first new message; `null` if it is visible. */
  onGoToNew: (() => void) | null;
  onGoToLatest: () => void;
  /** Called when the button disappears with the focus. */
  onFocusLost: () => void;
}

/** Renders a button over the end of the list, with a count, while the reader is away from the newest message. */
export function JumpToLatest({ count, onGoToNew, onGoToLatest, onFocusLost }: JumpToLatestProps): ReactElement {
  const button = useFocusLost(onFocusLost);
  const news = count === 0 ? "" : `${count > 99 ? "99+" : count} new ${count === 1 ? "message" : "messages"}`;
  const action = onGoToNew && news ? "Jump to the first new message" : "Jump to latest";
  return (
    <button
      ref={button}
      type="button"
      className={css.button}
      aria-label={news ? `${action}, ${news}` : action}
      title={action}
      onClick={onGoToNew ?? onGoToLatest}
    >
      <Icon icon={icons.arrowDown} size="1.25rem" />
      <span className={css.count}>
        <UnreadMarker count={count} isMuted={false} />
      </span>
    </button>
  );
}
