import type { ReactElement } from "react";
import css from "./TypingLine.module.css";

/** Renders a hint that the friend is typing. It overlaps the end of the list, to avoid a layout shift. */
export function TypingLine({ name, isTyping }: { name: string; isTyping: boolean }): ReactElement | null {
  if (!isTyping) return null;
  return (
    <p className={css.line}>
      <span className={css.dots} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className={css.text}>
        <bdi>{name}</bdi> is typing...
      </span>
    </p>
  );
}
