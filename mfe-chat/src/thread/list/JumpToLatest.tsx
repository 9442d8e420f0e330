import { Icon } from "@messageoh/ui-kit/Icon";
import type { ReactElement } from "react";
import css from "./JumpToLatest.module.css";

export interface JumpToLatestProps {
  /** New messages below. */
  count: number;
  onClick: () => void;
}

/** Floats over the list while the reader is away from its newest message. */
export function JumpToLatest({ count, onClick }: JumpToLatestProps): ReactElement {
  const news = count === 0 ? "" : `, ${count} new ${count === 1 ? "message" : "messages"}`;
  return (
    <button
      type="button"
      className={css.button}
      aria-label={`Jump to latest${news}`}
      title="Jump to latest"
      onClick={onClick}
    >
      {count > 0 ? <span className={css.count}>{count > 99 ? "99+" : count}</span> : null}
      <Icon name="arrow-down" size="1.375rem" />
    </button>
  );
}
