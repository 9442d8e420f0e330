import type { Connection, Meter } from "./wire.ts";

const STUCK_AFTER_MS = 15_000;
const SETTLE_MAX_MS = 20_000;
/** A system that falls behind a fixed rate by this much is not offered more: it shows in the latency. */
const UNDER_WAY_MAX = 3_000;

export interface LoadResult {
  /** Messages delivered and acked. */
  messages: number;
  seconds: number;
  /** Milliseconds from sending to delivery, ascending. */
  latencies: number[];
}

/** Runs messages over connections. A message is done when it was delivered to the partner and acked to its sender. */
class Load implements Meter {
  readonly latencies: number[] = [];
  readonly #connections: readonly Connection[];
  readonly #underWay = new Map<number, { sentAt: number; isHalfDone: boolean }>();
  readonly #onDone: () => void;
  done = 0;
  lastDoneAt = performance.now();

  constructor(connections: readonly Connection[], onDone: () => void = () => {}) {
    this.#connections = connections;
    this.#onDone = onDone;
    for (const connection of connections) connection.listen(this);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  send(): void {
    const n = nextNumber++;
    this.#underWay.set(n, { sentAt: performance.now(), isHalfDone: false });
    (this.#connections[n % this.#connections.length] as Connection).send(n);
  }

  delivered(n: number): void {
    const message = this.#underWay.get(n);
    if (!message) return;
    this.latencies.push(performance.now() - message.sentAt);
    this.#half(n, message);
  }

  acked(n: number): void {
    const message = this.#underWay.get(n);
    if (message) this.#half(n, message);
  }

  #half(n: number, message: { isHalfDone: boolean }): void {
    if (!message.isHalfDone) {
      message.isHalfDone = true;
      return;
    }
    this.#underWay.delete(n);
    this.done += 1;
    this.lastDoneAt = performance.now();
    this.#onDone();
  }

  /** Waits until nothing is under way any more. */
  async settle(withinMs = SETTLE_MAX_MS): Promise<void> {
    const giveUpAt = performance.now() + withinMs;
    while (this.underWay > 0 && performance.now() < giveUpAt) await pause(10);
    if (this.underWay > 0) throw new Error(`${this.underWay} messages were not delivered or not acked`);
  }
}

let nextNumber = 1;

/** As many messages as go through, `inFlight` of them under way at any moment. */
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
    if (performance.now() - load.lastDoneAt > STUCK_AFTER_MS) throw new Error("Nothing goes through any more");
  }
  const result = { messages: load.done, seconds: (performance.now() - beganAt) / 1_000 };
  await load.settle();
  return { ...result, latencies: load.latencies.sort((a, b) => a - b) };
}

/** A fixed number of messages per second, sent whether or not earlier ones are done. */
export async function runOpen(
  connections: readonly Connection[],
  options: { perSecond: number; seconds: number },
): Promise<LoadResult> {
  const load = new Load(connections);
  const beganAt = performance.now();
  const total = options.perSecond * options.seconds;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - beganAt) / 1_000) * options.perSecond));
    for (; sent < due && load.underWay < UNDER_WAY_MAX; sent += 1) load.send();
    await pause(1);
    if (performance.now() - beganAt > 3 * options.seconds * 1_000) break;
  }
  const seconds = (performance.now() - beganAt) / 1_000;
  await load.settle();
  return { messages: load.done, seconds, latencies: load.latencies.sort((a, b) => a - b) };
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
