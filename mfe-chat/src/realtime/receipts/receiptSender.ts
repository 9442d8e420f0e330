import type { ThreadData } from "../../state/thread/thread.ts";
import { backoffMs } from "../../time/backoff.ts";

export interface ReceiptSenderOptions {
  /** Returns the sequence number to report to the server, 0 for none. */
  targetOf: (thread: ThreadData) => number;
  send: (threadId: string, seq: number) => Promise<void>;
  /** Minimum time between two sends for one thread, in ms. */
  everyMs: number;
  onFailure?: (error: unknown) => void;
  random?: () => number;
}

interface Sending {
  confirmed: number;
  failures: number;
  /** A send is in flight, or waits for the interval or the backoff. */
  isBusy: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

export type ReceiptSender = ReturnType<typeof createReceiptSender>;

/**
 * Returns a sender for one marker per thread. It sends at once, then at most every `everyMs`, and retries until the
 * server has confirmed.
 */
export function createReceiptSender({
  targetOf,
  send,
  everyMs,
  onFailure,
  random = Math.random,
}: ReceiptSenderOptions) {
  const sendings = new Map<string, Sending>();
  let threads: ReadonlyMap<string, ThreadData> = new Map();
  let isStopped = false;

  function consider(thread: ThreadData): void {
    const sending = sendings.get(thread.threadId) ?? { confirmed: 0, failures: 0, isBusy: false };
    if (isStopped || sending.isBusy) return;
    const target = targetOf(thread);
    if (target <= sending.confirmed) return;
    sendings.set(thread.threadId, sending);
    sending.isBusy = true;
    send(thread.threadId, target).then(
      () => {
        sending.confirmed = Math.max(sending.confirmed, target);
        sending.failures = 0;
        checkAfter(thread.threadId, sending, everyMs);
      },
      (error: unknown) => {
        onFailure?.(error);
        sending.failures += 1;
        checkAfter(thread.threadId, sending, backoffMs(sending.failures, random));
      },
    );
  }

  function checkAfter(threadId: string, sending: Sending, ms: number): void {
    if (isStopped) return;
    sending.timer = setTimeout(() => {
      sending.isBusy = false;
      sending.timer = undefined;
      const thread = threads.get(threadId);
      if (thread) consider(thread);
    }, ms);
  }

  return {
    /** Checks the threads that changed. */
    check(next: ReadonlyMap<string, ThreadData>): void {
      const before = threads;
      if (next === before) return;
      threads = next;
      for (const [threadId, thread] of next) if (before.get(threadId) !== thread) consider(thread);
    },
    /** Retries failed sends without waiting for the backoff. */
    retry(): void {
      isStopped = false;
      for (const [threadId, sending] of sendings) {
        if (sending.timer !== undefined && sending.failures > 0) {
          clearTimeout(sending.timer);
          sending.timer = undefined;
          sending.isBusy = false;
        }
        const thread = threads.get(threadId);
        if (thread) consider(thread);
      }
    },
    stop(): void {
      isStopped = true;
      for (const sending of sendings.values()) clearTimeout(sending.timer);
      sendings.clear();
      threads = new Map();
    },
  };
}
