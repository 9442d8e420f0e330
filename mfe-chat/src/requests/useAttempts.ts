import { useEffect, useEffectEvent } from "react";
import { backoffMs } from "../time/backoff.ts";

/**
 * Calls `attempt` while it is wanted, and after a backoff again as long as it resolves with `false`.
 * @param purpose another one begins at once, without a backoff
 */
export function useAttempts(attempt: () => Promise<boolean>, isWanted: boolean, purpose?: string): void {
  const run = useEffectEvent(attempt);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another purpose begins again
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function next(failures: number): Promise<void> {
      if ((await run()) || isGone) return;
      timer = setTimeout(next, backoffMs(failures + 1), failures + 1);
    }
    void next(0);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isWanted, purpose]);
}
