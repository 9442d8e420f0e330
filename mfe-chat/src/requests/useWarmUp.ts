import { useEffect } from "react";

/**
 * Loads code of what also works without a network, so that the service worker stores it.
 * @param loads functions that import the code; the same array at each call
 * @param isSettled what the user waits for is shown, so other code may be loaded
 */
export function useWarmUp(loads: readonly (() => Promise<unknown>)[], isSettled: boolean): void {
  useEffect(() => {
    if (!isSettled) return;
    // A failure shows when the user needs the code.
    for (const load of loads) load().catch(() => undefined);
  }, [loads, isSettled]);
}
