import { isCommand } from "../../keyboard/useShortcuts.ts";

/** Returns the mark that a key puts around the selected text: Ctrl or ⌘ with B, I, or Shift and X; otherwise `null`. */
export function markOf(event: KeyboardEvent): string | null {
  if (isCommand(event, "b")) return "*";
  if (isCommand(event, "i")) return "_";
  return isCommand(event, "x", { shift: true }) ? "~" : null;
}

/** Puts a mark around the selection, or removes it, and keeps the same text selected. */
export function toggleMark(element: HTMLTextAreaElement, mark: string): void {
  const { value, selectionStart: start, selectionEnd: end } = element;
  const selected = value.slice(start, end);
  const isMarked = value.slice(start - 1, start) === mark && value.slice(end, end + 1) === mark;
  if (isMarked) element.setSelectionRange(start - 1, end + 1);
  replaceSelection(element, isMarked ? selected : mark + selected + mark);
  const from = isMarked ? start - 1 : start + 1;
  element.setSelectionRange(from, from + selected.length);
}

/** Replaces the selection as if the user had typed the text, so that undo works where the browser supports it. */
function replaceSelection(element: HTMLTextAreaElement, text: string): void {
  if (document.execCommand?.("insertText", false, text)) return;
  element.setRangeText(text, element.selectionStart, element.selectionEnd, "end");
  element.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
