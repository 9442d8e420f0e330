import type { KeyboardEvent } from "react";

const KEY_CODE_OF_IME = 229;

/** Whether a key belongs to an input method that is still putting a character together. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  // Safari ends the composition before it tells of the key that ended it.
  return nativeEvent.isComposing || nativeEvent.keyCode === KEY_CODE_OF_IME;
}
