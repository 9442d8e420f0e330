import { useCallback, useSyncExternalStore } from "react";
import { createTicker } from "./ticker.ts";

export const STAMP_REFRESH_MS = 60_000;

const everyMinute = createTicker(STAMP_REFRESH_MS);
const never = () => undefined;

/** A label that depends on the time, kept right every minute for as long as it can still change. */
export function useTimeLabel(label: (now: number) => string, changesUntil = Number.POSITIVE_INFINITY): string {
  const subscribe = useCallback(
    (notify: () => void) => {
      if (Date.now() >= changesUntil) return never;
      const leave = everyMinute(() => {
        notify();
        if (Date.now() >= changesUntil) leave();
      });
      return leave;
    },
    [changesUntil],
  );
  return useSyncExternalStore(subscribe, () => label(Date.now()));
}
