import { type RefObject, useLayoutEffect } from "react";

/** Fits the height of a text area to its text, for browsers without `field-sizing`. */
export function useAutoHeight(textarea: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const element = textarea.current;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [textarea, text]);
}
