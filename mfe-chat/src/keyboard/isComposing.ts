const KEY_CODE_OF_IME = 229;

/** Returns whether an input method (IME) is still composing a character with this key. */
export function isComposing({ nativeEvent }: { nativeEvent: KeyboardEvent }): boolean {
  // Safari ends the composition before it sends the event of its last key.
  return nativeEvent.isComposing || nativeEvent.keyCode === KEY_CODE_OF_IME;
}
