import { type RefObject, useLayoutEffect } from "react";

/** Makes a text area as high as its text where the style sheet cannot. */
export function useAutoHeight(textarea: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may need another height
  useLayoutEffect(() => {
    const element = textarea.current;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [textarea, text]);
}
