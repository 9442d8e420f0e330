import type { Thread } from "../../state/thread/thread.ts";
import { backoffMs } from "../../time/backoff.ts";

/** Minimum time between two sends for one thread, in ms. */
const EVERY_MS = 200;

export interface ReceiptSenderOptions {
  /** Returns the sequence number to report to the server, 0 for none. */
  targetOf: (thread: Thread) => number;
  send: (threadId: string, seq: number) => Promise<unknown>;
  onFailure?: (error: unknown) => void;
}

/** A thread whose next send waits: for the response to the last one, for the interval or for the backoff. */
interface Wait {
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
}

export type ReceiptSender = ReturnType<typeof createReceiptSender>;

/**
 * Returns a sender for one marker per thread. It sends at once, then at most every {@link EVERY_MS}, and retries until
 * the server has confirmed.
 */
export function createReceiptSender(options: ReceiptSenderOptions) {
  const { targetOf, send, onFailure } = options;
  const confirmed = new Map<string, number>();
  const waits = new Map<string, Wait>();
  let threads: ReadonlyMap<string, Thread> = new Map();

  async function report(threadId: string, failures = 0): Promise<void> {
    const thread = threads.get(threadId);
    const target = thread ? targetOf(thread) : 0;
    waits.delete(threadId);
    if (target <= (confirmed.get(threadId) ?? 0)) return;
    const wait: Wait = { failures: 0 };
    waits.set(threadId, wait);
    try {
      await send(threadId, target);
      confirmed.set(threadId, target);
    } catch (error) {
      onFailure?.(error);
      wait.failures = failures + 1;
    }
    // `stop` was called meanwhile; after a new start, another wait may belong to the same thread.
    if (waits.get(threadId) !== wait) return;
    const ms = wait.failures > 0 ? backoffMs(wait.failures) : EVERY_MS;
    wait.timer = setTimeout(() => void report(threadId, wait.failures), ms);
  }

  return {
    /** Checks the threads that changed. */
    check(next: ReadonlyMap<string, Thread>): void {
      const before = threads;
      threads = next;
      for (const [threadId, thread] of next) {
        if (before.get(threadId) !== thread && !waits.has(threadId)) void report(threadId);
      }
    },
    /** Retries failed sends without waiting for the backoff. */
    retry(): void {
      for (const [threadId, { failures, timer }] of waits) {
        if (failures === 0) continue;
        clearTimeout(timer);
        void report(threadId, failures);
      }
    },
    stop(): void {
      for (const { timer } of waits.values()) clearTimeout(timer);
      waits.clear();
      confirmed.clear();
      threads = new Map();
    },
  };
}
