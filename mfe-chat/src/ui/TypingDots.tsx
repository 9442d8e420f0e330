import type { ReactElement } from "react";
import css from "./TypingDots.module.css";

/** Renders the three decorative dots of a friend who is typing. */
export function TypingDots(): ReactElement {
  return (
    <span className={css.dots} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
