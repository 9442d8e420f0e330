import { useCallback, useSyncExternalStore } from "react";

const REFRESH_MS = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const never = () => undefined;

/**
 * Calls all listeners together every minute, with one timer, which runs while there are any.
 * @returns a function that removes the listener
 */
export function everyMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const tell of [...listeners]) tell();
  }, REFRESH_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Calls `notify` every minute until a time has passed, and once after it.
 * @param end in ms since 1970
 * @returns a function that stops earlier
 */
export function everyMinuteUntil(end: number, notify: () => void): () => void {
  if (Date.now() >= end) return never;
  const leave = everyMinute(() => {
    notify();
    if (Date.now() >= end) leave();
  });
  return leave;
}

/** Returns a label that depends on the time and updates every minute while it can still change. */
export function useTimeLabel(label: (now: number) => string, changesUntil = Number.POSITIVE_INFINITY): string {
  const subscribe = useCallback((notify: () => void) => everyMinuteUntil(changesUntil, notify), [changesUntil]);
  return useSyncExternalStore(subscribe, () => label(Date.now()));
}
