export interface Debounced {
  /** Restarts the delay with a new value. */
  update: (value: string) => void;
  cancel: () => void;
}

/** Calls `onSettled` with the last value once no new one has come for `delayMs`. */
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
