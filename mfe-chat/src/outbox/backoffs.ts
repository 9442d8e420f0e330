import type { ApiError } from "@messageoh/contracts/client";
import { backoffMs } from "../time/backoff.ts";

/**
 * Returns the backoffs of the threads. Each is a timer and not a time to compare with the clock: a clock that is set
 * back would make it longer.
 * @param onEnd called when a thread may try again
 */
export function createBackoffs(onEnd: () => void) {
  const failures = new Map<string, number>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function end(threadId: string): void {
    clearTimeout(timers.get(threadId));
    timers.delete(threadId);
  }

  function clear(threadId: string): void {
    end(threadId);
    failures.delete(threadId);
  }

  return {
    isWaiting: (threadId: string): boolean => timers.has(threadId),
    /** Begins a backoff that grows with the number of consecutive failures. */
    fail(threadId: string): void {
      const count = (failures.get(threadId) ?? 0) + 1;
      clear(threadId);
      failures.set(threadId, count);
      const again = () => {
        end(threadId);
        onEnd();
      };
      timers.set(threadId, setTimeout(again, backoffMs(count)));
    },
    /** Forgets the failures of a thread. */
    clear,
    clearAll(): void {
      for (const threadId of [...failures.keys()]) clear(threadId);
    },
  };
}

/** Returns whether another attempt would fail in the same way. A session that has ended keeps what waits. */
export const isFinal = ({ status }: ApiError): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 429;
