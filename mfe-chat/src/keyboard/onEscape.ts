import type { KeyboardEvent } from "react";
import { isComposing } from "./isComposing.ts";

/** Returns whether a key is an Esc for the thread or a part of it. Esc in a dialog closes only the dialog. */
export const isEscape = (event: KeyboardEvent): boolean =>
  event.key === "Escape" && !isComposing(event) && !(event.target as Element).closest("dialog");

/** Returns a handler that calls `act` on Esc, which then must not close the thread. */
export const onEscape = (act: () => void) => (event: KeyboardEvent) => {
  if (!isEscape(event)) return;
  event.preventDefault();
  event.stopPropagation();
  act();
};
