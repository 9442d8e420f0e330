import { useCallback, useSyncExternalStore } from "react";
import { createTicker } from "./ticker.ts";

const REFRESH_MS = 60_000;

const everyMinute = createTicker(REFRESH_MS);
const never = () => undefined;

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
