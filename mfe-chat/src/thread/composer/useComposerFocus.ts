import { DESKTOP_QUERY } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { type RefObject, useEffect, useRef } from "react";

export interface ComposerFocusOptions {
  /** Whether to focus the composer when the thread opens. */
  isFocusWanted: boolean;
  /** Increases to move the focus into the thread. */
  focusRequest: number;
  /** What the composer is for, besides a new message. */
  composing: object | null;
}

/**
 * Focuses the text area of the composer when its thread opens, on request, and when it gets another purpose. Returns a
 * function that focuses it.
 */
export function useComposerFocus(
  textarea: RefObject<HTMLTextAreaElement | null>,
  { isFocusWanted, focusRequest, composing }: ComposerFocusOptions,
): () => void {
  const firstRequest = useRef(focusRequest);
  const shownComposing = useRef(composing);
  const focus = () => textarea.current?.focus({ preventScroll: true });

  function focusEnd(): void {
    focus();
    const end = textarea.current?.value.length ?? 0;
    textarea.current?.setSelectionRange(end, end);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `focusRequest` covers later changes
  useEffect(() => {
    // On a phone the keyboard would cover the messages. Do not take the focus from a search that the user started while
    // the thread loaded.
    const isElsewhere = document.activeElement instanceof HTMLInputElement;
    const isWanted = (isFocusWanted && !isElsewhere) || focusRequest !== firstRequest.current;
    if (!isWanted || !window.matchMedia(DESKTOP_QUERY).matches) return;
    focusEnd();
  }, [focusRequest]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the composer is for has changed
  useEffect(() => {
    if (composing && composing !== shownComposing.current) focusEnd();
    shownComposing.current = composing;
  }, [composing]);

  return focus;
}
