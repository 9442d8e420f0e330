import { useWindowEvent } from "@messageoh/ui-kit/hooks/useWindowEvent";

/** Calls `handle` on each key that nothing else has handled, while no dialog is open. */
export function useShortcuts(handle: (event: KeyboardEvent) => void): void {
  useWindowEvent("keydown", (event) => {
    if (!event.defaultPrevented && !document.querySelector("dialog[open]")) handle(event);
  });
}

export const isMac = navigator.platform.startsWith("Mac");

/** Returns whether a key press is a letter with Ctrl, or with ⌘ on a Mac, where Ctrl and a letter edit text. */
export function isCommand(event: KeyboardEvent, letter: string, { shift = false } = {}): boolean {
  const [isHeld, isOther] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  return event.key.toLowerCase() === letter && isHeld && !isOther && !event.altKey && event.shiftKey === shift;
}

/** Returns whether an element takes text, so that a letter is no shortcut. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
