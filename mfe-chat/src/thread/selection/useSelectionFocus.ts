import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus when a selection begins, to its first message, and when it ends, to the message that had the focus:
 * the buttons of the rows become check boxes, and the other way around.
 * @param from key of the first message, or `null` without a selection
 */
export function useSelectionFocus(from: string | null, listRef: RefObject<HTMLElement | null>): void {
  const seen = useRef(from);
  useEffect(() => {
    if (from === seen.current) return;
    seen.current = from;
    const row = from === null ? '[data-row][tabindex="0"]' : `[data-row="${CSS.escape(from)}"]`;
    listRef.current?.querySelector<HTMLElement>(row)?.focus({ preventScroll: true });
  }, [from, listRef]);
}
