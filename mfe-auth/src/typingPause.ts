export interface TypingPause {
  /** Somebody typed: the wait begins anew. */
  typed: (value: string) => void;
  cancel: () => void;
}

/** Calls `onPause` with what was typed last, once typing has rested for `delayMs`. */
export function typingPause(delayMs: number, onPause: (value: string) => void): TypingPause {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    typed(value) {
      clearTimeout(timer);
      timer = setTimeout(() => onPause(value), delayMs);
    },
    cancel() {
      clearTimeout(timer);
    },
  };
}
