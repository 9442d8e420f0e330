import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";

/** Returns the ref of a button. Calls `onFocusLost` when the view that contains it disappears while it has the focus. */
export function useFocusLost(onFocusLost: (button: HTMLButtonElement) => void): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const passOn = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const element = button.current;
    // The browser moves the focus to the page only after this.
    return () => {
      if (element && document.activeElement === element) passOn(element);
    };
  }, []);
  return button;
}
