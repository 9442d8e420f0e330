/** Calls all listeners together every `intervalMs` ms, and stops its timer without listeners. */
export function createTicker(intervalMs: number): (listener: () => void) => () => void {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;

  return function subscribe(listener) {
    listeners.add(listener);
    timer ??= setInterval(() => {
      for (const tell of [...listeners]) tell();
    }, intervalMs);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}
