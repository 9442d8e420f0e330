import { say } from "../tools/src/say.ts";
import { quantile } from "./figures.ts";
import { cpuTimes } from "./load/cpu.ts";
import { type LoadResult, runClosed, runOpen } from "./load/load.ts";
import type { Connection } from "./load/wire.ts";
import type { Target } from "./targets/target.ts";

const CONNECTIONS = 200;
const IN_FLIGHT = 64;
const FIXED_PER_SECOND = 1_000;

/** What one round says of one target. */
export interface Sample {
  perSecond: number;
  /** Milliseconds from sending to delivery at the fixed rate. */
  p50: number;
  p95: number;
  p99: number;
  /** Milliseconds of CPU time per 1,000 messages at full speed, by process. */
  cpu: Map<string, number>;
}
export interface Measured {
  target: Target;
  samples: Sample[];
}

/** Measures every target in every round, in an order that turns, after some seconds of load on each. */
export async function measureRounds(
  targets: readonly Target[],
  options: { rounds: number; seconds: number; warmUpSeconds: number },
): Promise<Measured[]> {
  const { rounds, seconds, warmUpSeconds } = options;
  const measured: (Measured & { connections: Connection[] })[] = [];
  for (const target of targets) {
    const connections = await target.connect(CONNECTIONS);
    say(`${target.name}: ${CONNECTIONS} connections; warming up`);
    await runClosed(connections, { inFlight: IN_FLIGHT, seconds: warmUpSeconds });
    measured.push({ target, samples: [], connections });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < measured.length; turn += 1) {
      const { target, samples, connections } = measured[(round + turn) % measured.length] as (typeof measured)[number];
      const sample = await measure(target, connections, seconds);
      samples.push(sample);
      say(
        `round ${round + 1}, ${target.name}: ${Math.round(sample.perSecond)} messages/s; ` +
          `at ${FIXED_PER_SECOND}/s p50 ${sample.p50.toFixed(2)} ms, p99 ${sample.p99.toFixed(1)} ms`,
      );
    }
  }
  for (const { connections } of measured) for (const connection of connections) connection.close();
  return measured;
}

async function measure(target: Target, connections: readonly Connection[], seconds: number): Promise<Sample> {
  const before = cpuTimes(target.processes());
  const fast = await runClosed(connections, { inFlight: IN_FLIGHT, seconds });
  const after = cpuTimes(target.processes());
  const steady: LoadResult = await runOpen(connections, { perSecond: FIXED_PER_SECOND, seconds });
  const cpu = [...after].map(([name, ms]): [string, number] => [
    name,
    ((ms - (before.get(name) ?? 0)) / fast.messages) * 1_000,
  ]);
  return {
    perSecond: fast.messages / fast.seconds,
    p50: quantile(steady.latencies, 0.5),
    p95: quantile(steady.latencies, 0.95),
    p99: quantile(steady.latencies, 0.99),
    cpu: new Map(cpu),
  };
}
