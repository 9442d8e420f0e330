import { logProgress } from "@messageoh/cli/progress";
import type { Connection } from "../client/wire.ts";
import { median, quantile } from "./figures.ts";
import { type Cpu, withCpu } from "./load/cpu.ts";
import { runClosed, runOpen } from "./load/load.ts";
import { readInserts } from "./load/metrics.ts";
import type { Target } from "./targets/target.ts";

const CONNECTIONS = 200;
const IN_FLIGHT = 64;

/** Milliseconds from sending to delivery at a steady rate, and CPU milliseconds per 1,000 messages. */
export type Steady = { p50: number; p95: number; p99: number; cpu: Cpu };

/** Results of one target in one round. */
export interface Sample {
  /** Messages per second at full speed. */
  perSecond: number;
  /** CPU milliseconds per 1,000 messages at full speed. */
  cpu: Cpu;
  /** Results at each of the target's steady rates, by messages per second. */
  steady: Map<number, Steady>;
}
export interface Measured {
  target: Target;
  samples: Sample[];
  /** Insert commands per stored batch over all rounds; NaN without svc-messages. */
  insertAttempts: number;
}

/** Returns the median of the ratios per round. */
export const medianRatio = (of: readonly Sample[], to: readonly Sample[], figure: (sample: Sample) => number): number =>
  median(of.map((sample, round) => figure(sample) / figure(to[round] as Sample)));

/** Warms up each target, then measures every target in every round, in rotating order. */
export async function measureRounds(
  targets: readonly Target[],
  options: { rounds: number; seconds: number; warmUpSeconds: number },
): Promise<Measured[]> {
  const { rounds, seconds, warmUpSeconds } = options;
  const running = [];
  for (const target of targets) {
    const connections = await target.connect(CONNECTIONS);
    logProgress(`${target.name}: ${CONNECTIONS} connections; warming up`);
    await runClosed(connections, { inFlight: IN_FLIGHT, seconds: warmUpSeconds });
    running.push({ target, connections, before: await readInserts(target.processes()), samples: [] as Sample[] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [turn] of running.entries()) {
      const { target, samples, connections } = running[(round + turn) % running.length] as (typeof running)[number];
      const sample = await measure(target, connections, seconds);
      samples.push(sample);
      const latencies = [...sample.steady].map(
        ([rate, { p50, p99 }]) => `; at ${rate}/s p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms`,
      );
      logProgress(
        `round ${round + 1}, ${target.name}: ${Math.round(sample.perSecond)} messages/s${latencies.join("")}`,
      );
    }
  }
  const measured = running.map(async ({ target, samples, connections, before }) => {
    const after = await readInserts(target.processes());
    for (const connection of connections) connection.close();
    const insertAttempts = (after.attempts - before.attempts) / (after.batches - before.batches);
    return { target, samples, insertAttempts };
  });
  return Promise.all(measured);
}

async function measure({ processes, rates }: Target, connections: Connection[], seconds: number): Promise<Sample> {
  const fast = await withCpu(processes, () => runClosed(connections, { inFlight: IN_FLIGHT, seconds }));
  const steady = new Map<number, Steady>();
  for (const perSecond of rates) {
    const { latencies, cpu } = await withCpu(processes, () => runOpen(connections, { perSecond, seconds }));
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(latencies, share)) as [number, number, number];
    steady.set(perSecond, { p50, p95, p99, cpu });
  }
  return { perSecond: fast.messages / fast.seconds, cpu: fast.cpu, steady };
}
