import { pause } from "../../client/account.ts";
import type { Connection, Meter } from "../../client/wire.ts";

const STUCK_AFTER_MS = 15_000;
const SETTLE_MAX_MS = 20_000;
/** Limit of messages in flight per target. Waiting for it increases the measured latency. */
const IN_FLIGHT_MAX = 3_000;

interface LoadResult {
  /** Messages delivered and acked, including those after the end of the measured time. */
  messages: number;
  /** Messages per second in the measured time. */
  perSecond: number;
  /** Milliseconds from sending to delivery. */
  latencies: number[];
}

/** A load: `64` keeps 64 messages in flight (full speed), `400/s` sends 400 messages per second. */
export type LoadName = `${number}` | `${number}/s`;

export const isLoadName = (text: string): text is LoadName => /^[1-9]\d{0,4}(\/s)?$/.test(text);

/** Returns the messages per second of a steady load, or `undefined` at full speed. */
export const rateOf = (load: LoadName): number | undefined =>
  load.endsWith("/s") ? Number.parseInt(load, 10) : undefined;

/** Sends messages over connections and measures them. */
class Load implements Meter {
  readonly latencies: number[] = [];
  readonly #connections: readonly Connection[];
  readonly #inFlight = new Map<number, { sentAt: number; events: number }>();
  readonly #onDone: () => void;
  done = 0;
  lastDoneAt = performance.now();

  constructor(connections: readonly Connection[], onDone: () => void = () => {}) {
    this.#connections = connections;
    this.#onDone = onDone;
    for (const connection of connections) connection.listen(this);
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  send(): void {
    const n = nextNumber++;
    this.#inFlight.set(n, { sentAt: performance.now(), events: 0 });
    (this.#connections[n % this.#connections.length] as Connection).send(n);
  }

  delivered(n: number): void {
    const message = this.#inFlight.get(n);
    if (message) this.latencies.push(performance.now() - message.sentAt);
    this.acked(n);
  }

  /** Counts a message as done when it is both delivered and acked. */
  acked(n: number): void {
    const message = this.#inFlight.get(n);
    if (!message) return;
    message.events += 1;
    if (message.events < 2) return;
    this.#inFlight.delete(n);
    this.done += 1;
    this.lastDoneAt = performance.now();
    this.#onDone();
  }

  /** Waits until no message is in flight. */
  async settle(withinMs = SETTLE_MAX_MS): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (this.inFlight > 0 && performance.now() < deadline) await pause(10);
    if (this.inFlight > 0) throw new Error(`${this.inFlight} messages were not delivered or not acked`);
  }
}

let nextNumber = 1;

export const runLoad = (connections: readonly Connection[], load: LoadName, seconds: number): Promise<LoadResult> => {
  const perSecond = rateOf(load);
  return perSecond === undefined
    ? runClosed(connections, { inFlight: Number(load), seconds })
    : runOpen(connections, { perSecond, seconds });
};

/** Sends as many messages as possible with `inFlight` in flight (closed loop). */
export async function runClosed(
  connections: readonly Connection[],
  options: { inFlight: number; seconds: number },
): Promise<LoadResult> {
  const beganAt = performance.now();
  const endAt = beganAt + options.seconds * 1_000;
  const load = new Load(connections, () => {
    if (performance.now() < endAt) load.send();
  });
  for (let sent = 0; sent < options.inFlight; sent += 1) load.send();
  while (performance.now() < endAt) {
    await pause(50);
    if (performance.now() - load.lastDoneAt > STUCK_AFTER_MS)
      throw new Error(`No message was delivered for ${STUCK_AFTER_MS} ms`);
  }
  const perSecond = load.done / ((performance.now() - beganAt) / 1_000);
  await load.settle();
  return { messages: load.done, perSecond, latencies: load.latencies };
}

/** Sends a fixed number of messages per second (open loop). */
export async function runOpen(
  connections: readonly Connection[],
  options: { perSecond: number; seconds: number },
): Promise<LoadResult> {
  const load = new Load(connections);
  const beganAt = performance.now();
  const total = options.perSecond * options.seconds;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - beganAt) / 1_000) * options.perSecond));
    for (; sent < due && load.inFlight < IN_FLIGHT_MAX; sent += 1) load.send();
    await pause(1);
    if (performance.now() - beganAt > 3 * options.seconds * 1_000) break;
  }
  const seconds = (performance.now() - beganAt) / 1_000;
  await load.settle();
  return { messages: load.done, perSecond: load.done / seconds, latencies: load.latencies };
}
