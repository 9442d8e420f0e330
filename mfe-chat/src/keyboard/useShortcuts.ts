import { useEffect, useRef } from "react";

/** Calls `handle` on each key that nothing else has handled, while no dialog is open. */
export function useShortcuts(handle: (event: KeyboardEvent) => void): void {
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && !document.querySelector("dialog[open]")) latest.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Returns whether a key press is a letter with Ctrl, or with ⌘ on a Mac. */
export function isCommand(event: KeyboardEvent, letter: string): boolean {
  return event.key.toLowerCase() === letter && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}

/** Returns whether an element takes text, so that a letter is no shortcut. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
