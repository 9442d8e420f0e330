import { type RefObject, useEffect, useEffectEvent } from "react";

/** Calls `onClose` when the user presses or focuses something outside of the elements. */
export function useCloseFromOutside(
  refs: readonly (RefObject<Element | null> | undefined)[],
  onClose: () => void,
): void {
  const close = useEffectEvent(({ target }: Event) => {
    // Firefox focuses the document when the window gets the focus.
    if (!(target instanceof Node) || target === document) return;
    if (!refs.some((ref) => ref?.current?.contains(target))) onClose();
  });
  useEffect(() => {
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
    };
  }, []);
}
