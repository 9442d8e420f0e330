import type { RefObject } from "react";
import { useWindowEvent } from "./useWindowEvent.ts";

/** Calls `onClose` when the user presses or focuses something outside of the elements. */
export function useCloseFromOutside(
  refs: readonly (RefObject<Element | null> | undefined)[],
  onClose: () => void,
): void {
  function close({ target }: Event): void {
    // Firefox focuses the document when the window gets the focus.
    if (!(target instanceof Node) || target === document) return;
    if (!refs.some((ref) => ref?.current?.contains(target))) onClose();
  }
  useWindowEvent("pointerdown", close);
  useWindowEvent("focusin", close);
}
