/** Time for which a measured difference of clocks is used, in milliseconds. A clock may be adjusted meanwhile. */
const KEEP_MS = 60_000;
const PROCESSES_MAX = 1_000;

/** The svc-messages instances as a whole, for messages of a process that was not observed, such as one that stopped. */
export const ANY_PROCESS = "";

/** Returns the id of the svc-messages process that stored a message; see `newMessageId` in svc-messages. */
export const processOf = (messageId: string): string => messageId.slice(12, 18);

interface Difference {
  /** Smallest difference since `since`, and in the time before it. */
  current: number;
  previous: number;
  since: number;
  /** Lower bound, by responses since `since`. */
  least: number;
}

/**
 * Converts times of the svc-messages processes to the monotonic clock of this instance, without trusting that their clocks
 * agree. The smallest difference between the arrival of something and the time that it carries is the difference of the
 * clocks, plus the shortest transit. A response was made after its request, which bounds the transit.
 */
export class ServiceClocks {
  readonly #now: () => number;
  readonly #differences = new Map<string, Difference>();

  /** @param now returns the time of a monotonic clock, in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Records that something with a process's current time arrived now. Responses of older versions lack both.
   * @param requestedAt local time of the request, if it is a response
   */
  observe(process: string | undefined, time: number | undefined, requestedAt?: number): void {
    if (process === undefined || time === undefined) return;
    const now = this.#now();
    const known = this.#differences.get(process);
    const most = now - time;
    const least = requestedAt === undefined ? -Infinity : requestedAt - time;
    if (!known) {
      // A response may have been under way for seconds. Within its bounds, the clock of the other processes is a better guess.
      const others = requestedAt === undefined ? undefined : this.#differences.get(ANY_PROCESS);
      const difference = others ? Math.max(least, Math.min(others.current, others.previous, most)) : most;
      if (this.#differences.size >= PROCESSES_MAX) this.#differences.clear();
      this.#differences.set(process, { current: difference, previous: difference, since: now, least });
      return;
    }
    if (now - known.since > KEEP_MS)
      Object.assign(known, { current: most, previous: known.current, since: now, least });
    // An event that was under way while the clock was set carries the time of another clock than its messages.
    if (most < known.least) return;
    known.current = Math.max(least, Math.min(known.current, most));
    known.previous = Math.max(least, known.previous);
    known.least = Math.max(least, known.least);
  }

  /** Returns the local time of a process's time, by the clock of another one if need be; `undefined` if none is known. */
  toLocal(process: string, time: number): number | undefined {
    const [other] = this.#differences.values();
    const known = this.#differences.get(process) ?? this.#differences.get(ANY_PROCESS) ?? other;
    return known && time + Math.min(known.current, known.previous);
  }

  /** Returns the time of svc-messages at a local time, or `undefined` if no process was observed. */
  timeAt(localTime: number): number | undefined {
    const zero = this.toLocal(ANY_PROCESS, 0);
    return zero === undefined ? undefined : localTime - zero;
  }
}
