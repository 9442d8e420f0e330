import type { ReactElement } from "react";
import { TypingDots } from "../ui/TypingDots.tsx";
import { useChatState } from "../useChat.ts";
import css from "./TypingLine.module.css";

/** Renders a hint that the friend is typing. It overlaps the end of the list, to avoid a layout shift. */
export function TypingLine({ name, threadId }: { name: string; threadId: string }): ReactElement | null {
  const isTyping = useChatState((state) => state.typingIn.has(threadId));
  if (!isTyping) return null;
  return (
    <p className={css.line}>
      <TypingDots />
      <span className={css.text} dir="auto">
        <bdi>{name}</bdi> is typing...
      </span>
    </p>
  );
}
