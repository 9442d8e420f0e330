import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";

/**
 * Returns the ref of an element. Calls `onFocusLost` when the view that contains it disappears while the focus is in the
 * element.
 */
export function useFocusLost<E extends HTMLElement = HTMLButtonElement>(
  onFocusLost: (element: E) => void,
): RefObject<E | null> {
  const ref = useRef<E>(null);
  const passOn = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const element = ref.current;
    // The browser moves the focus to the page only after this.
    return () => {
      if (element?.contains(document.activeElement)) passOn(element);
    };
  }, []);
  return ref;
}
