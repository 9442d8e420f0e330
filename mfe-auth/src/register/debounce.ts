export interface Debounced {
  /** Restarts the delay with a new value. */
  update: (value: string) => void;
  cancel: () => void;
}

/** Returns a debouncer that calls `onSettled` with the last value after `delayMs` milliseconds without a new one. */
export function debounce(delayMs: number, onSettled: (value: string) => void): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    update(value) {
      clearTimeout(timer);
      timer = setTimeout(() => onSettled(value), delayMs);
    },
    cancel() {
      clearTimeout(timer);
    },
  };
}
