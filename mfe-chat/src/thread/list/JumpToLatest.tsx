import { Icon } from "@messageoh/ui-kit/basics/Icon";
import type { ReactElement } from "react";
import css from "./JumpToLatest.module.css";

export interface JumpToLatestProps {
  /** Number of new messages below. */
  count: number;
  onClick: () => void;
}

/** Renders a bar below the list while the reader is away from the newest message. */
export function JumpToLatest({ count, onClick }: JumpToLatestProps): ReactElement {
  const news = count === 0 ? "" : `${count > 99 ? "99+" : count} new ${count === 1 ? "message" : "messages"}`;
  return (
    <button
      type="button"
      className={css.button}
      aria-label={news ? `Jump to latest, ${news}` : "Jump to latest"}
      title="Jump to latest"
      onClick={onClick}
    >
      {news || "Jump to latest"}
      <Icon name="arrow-down" size="1.25rem" />
    </button>
  );
}
