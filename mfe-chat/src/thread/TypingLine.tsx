import type { ReactElement } from "react";
import { TypingDots } from "../ui/TypingDots.tsx";
import css from "./TypingLine.module.css";

/** Renders a hint that the friend is typing. It overlaps the end of the list, to avoid a layout shift. */
export function TypingLine({ name, isTyping }: { name: string; isTyping: boolean }): ReactElement | null {
  if (!isTyping) return null;
  return (
    <p className={css.line}>
      <TypingDots />
      <span className={css.text}>
        <bdi>{name}</bdi> is typing...
      </span>
    </p>
  );
}
