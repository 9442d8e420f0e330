import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";

/** Returns the ref of a button. Calls `onFocusLost` when the view that contains it disappears while it has the focus. */
export function useFocusLost(onFocusLost: () => void): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const passOn = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const element = button.current;
    // The browser moves the focus to the page only after this.
    return () => {
      if (document.activeElement === element) passOn();
    };
  }, []);
  return button;
}
