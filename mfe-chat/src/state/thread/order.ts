import { newestOf } from "./segments.ts";
import type { Thread } from "./thread.ts";

const times = new WeakMap<Thread, number>();

/** Returns the time in ms that sorts a thread in the friend list; threads without messages are last. */
export function orderTime(thread: Thread): number {
  const known = times.get(thread);
  if (known !== undefined) return known;
  const stored = newestOf(thread.segments);
  const unsent = thread.outbox.at(-1);
  const time = Math.max(
    stored ? Date.parse(stored.timestamp) : Number.NEGATIVE_INFINITY,
    unsent ? Date.parse(unsent.timestamp) : Number.NEGATIVE_INFINITY,
    thread.topTime ?? Number.NEGATIVE_INFINITY,
  );
  times.set(thread, time);
  return time;
}
