import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";

/**
 * Returns the ref of an element. Calls `onFocusLost` when the view that contains it disappears while the focus is in
 * the element. By default, the list, the banner or the dialog around it gets the focus.
 */
export function useFocusLost<E extends HTMLElement = HTMLButtonElement>(
  onFocusLost: (element: E) => void = focusAround,
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

function focusAround(element: HTMLElement): void {
  const place = element.closest<HTMLElement>("[tabindex], [data-takes-focus], dialog > *");
  if (!place) return;
  // Set only now: a dialog that opens would give the focus to its content.
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
