import { isMainThread, parentPort, Worker } from "node:worker_threads";

const EVERY_MS = 400;
const CPU_MS = 10;

/** Measures how slow the machine is: wall-clock time per CPU time of a thread that always wants to run. */
export class SlownessProbe {
  readonly #samples: { at: number; ratio: number }[] = [];
  readonly #worker = new Worker(new URL(import.meta.url));

  constructor() {
    this.#worker.on("message", (ratio: number) => this.#samples.push({ at: Date.now(), ratio }));
    this.#worker.unref();
  }

  /** Returns the mean slowness since `from`, at least 1. */
  since(from: number): number {
    const ratios = this.#samples.filter(({ at }) => at >= from).map(({ ratio }) => ratio);
    if (ratios.length === 0) return 1;
    return Math.max(1, ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length);
  }

  stop(): Promise<number> {
    return this.#worker.terminate();
  }
}

function measure(): number {
  const begin = performance.now();
  const cpu = process.threadCpuUsage();
  const used = () => {
    const { user, system } = process.threadCpuUsage(cpu);
    return (user + system) / 1_000;
  };
  while (used() < CPU_MS);
  return (performance.now() - begin) / used();
}

if (!isMainThread) setInterval(() => parentPort?.postMessage(measure()), EVERY_MS);
