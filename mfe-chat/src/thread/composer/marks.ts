import { isCommand } from "../../keyboard/useShortcuts.ts";

/** Returns the mark that a key puts around the selected text: Ctrl or ⌘ with B, I, or Shift and X; otherwise `null`. */
export function markOf(event: KeyboardEvent): string | null {
  if (isCommand(event, "b")) return "*";
  if (isCommand(event, "i")) return "_";
  return isCommand(event, "x", { shift: true }) ? "~" : null;
}

/** Puts a mark around the selected text, or removes it, and keeps the same text selected. */
export function toggleMark(element: HTMLTextAreaElement, mark: string): void {
  const { value, selectionStart, selectionEnd } = element;
  const selected = value.slice(selectionStart, selectionEnd);
  // Marks have no white space inside; a double click may select the space after a word.
  const text = selected.trim();
  const start = selectionStart + selected.indexOf(text);
  const end = start + text.length;
  const isAround = start > 0 && value[start - 1] === mark && value[end] === mark;
  const isInside = text.length > 2 && text.startsWith(mark) && text.endsWith(mark);
  const content = isInside ? text.slice(1, -1) : text;
  const from = isAround ? start - 1 : start;
  element.setSelectionRange(from, isAround ? end + 1 : end);
  replaceSelection(element, isAround || isInside ? content : mark + content + mark);
  const contentStart = isAround || isInside ? from : from + 1;
  element.setSelectionRange(contentStart, contentStart + content.length);
}

/** Replaces the selection as if the user had typed the text, so that undo works where the browser supports it. */
function replaceSelection(element: HTMLTextAreaElement, text: string): void {
  if (document.execCommand?.("insertText", false, text)) return;
  element.setRangeText(text, element.selectionStart, element.selectionEnd, "end");
  element.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
