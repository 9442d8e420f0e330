import type { ReactElement } from "react";
import css from "./TypingLine.module.css";

/** Says that the friend is writing. It lies over the end of the list, so that nothing moves when it comes and goes. */
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
