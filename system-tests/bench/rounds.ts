import { loadavg } from "node:os";
import { join } from "node:path";
import { logProgress } from "@messageoh/stack/command/progress";
import { quantile } from "../client/quantile.ts";
import type { Connection } from "../client/wire.ts";
import { format, median } from "./figures.ts";
import { ALL, type Cpu, sumCpu, withCpu } from "./load/cpu.ts";
import { type LoadName, rateOf, runClosed, runLoad } from "./load/load.ts";
import { readInserts } from "./load/metrics.ts";
import type { Target } from "./targets/target.ts";

const CONNECTIONS = 600;
const WARM_UP_IN_FLIGHT = 64;

/** Results of one target under one load in one round. */
export interface Sample {
  perSecond: number;
  /** Milliseconds from sending to delivery. */
  p50: number;
  p99: number;
  /** CPU milliseconds per 1,000 messages, which are microseconds per message. */
  cpu: Cpu;
}
export interface Measured {
  target: Target;
  /** The samples of all rounds, by load. */
  samples: Map<LoadName, Sample[]>;
  /** Insert commands per stored batch over all rounds; NaN without svc-messages. */
  insertAttempts: number;
}

/** Returns the ratio of a figure of two targets in each round. */
export const ratios = (of: readonly Sample[], to: readonly Sample[], figure: (sample: Sample) => number): number[] =>
  of.map((sample, round) => figure(sample) / figure(to[round] as Sample));

export interface RoundsOptions {
  loads: readonly LoadName[];
  rounds: number;
  /** Length of each measurement. */
  seconds: number;
  /** Time of load on each target before its first round. */
  warmUpSeconds: number;
}

/** Starts a target with its data in a folder. Resolves with `null` if its programs are not installed. */
export type StartTarget = (dir: string) => Promise<Target | null>;

/**
 * Starts all targets and measures half of the rounds, then does the same in the opposite order: of two targets with the
 * same code, the one that starts first takes 6 to 9 % more CPU time in all rounds.
 * @param running receives the targets while they run, for a caller that is aborted
 */
export async function measureInBothOrders(
  starts: readonly StartTarget[],
  dir: string,
  options: RoundsOptions,
  running: Target[] = [],
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const half = { ...options, rounds: Math.ceil(options.rounds / 2) };
  for (const [index, order] of [starts, starts.toReversed()].entries()) {
    try {
      for (const start of order) {
        const target = await start(join(dir, `${index + 1}-${running.length}`));
        if (target) running.push(target);
      }
      logLoadAverage();
      addRounds(measured, await measureRounds(running, half));
      logLoadAverage();
    } finally {
      await Promise.all(running.splice(0).map((target) => target.stop()));
    }
  }
  return measured;
}

const logLoadAverage = () => logProgress(`load average ${loadavg().map((load) => load.toFixed(1))}`);

/** Warms up each target, then puts every target under every load in every round, in rotating order. */
async function measureRounds(targets: readonly Target[], options: RoundsOptions): Promise<Measured[]> {
  const { loads, rounds, seconds, warmUpSeconds } = options;
  const running: (Measured & { connections: Connection[]; before: Awaited<ReturnType<typeof readInserts>> })[] = [];
  for (const target of targets) {
    const connections = await target.connect(CONNECTIONS);
    logProgress(`${target.name}: ${CONNECTIONS} connections; warming up`);
    await runClosed(connections, { inFlight: WARM_UP_IN_FLIGHT, seconds: warmUpSeconds });
    const possible = loads.filter((load) => (rateOf(load) ?? 0) <= (target.perSecondMax ?? Number.POSITIVE_INFINITY));
    const samples = new Map(possible.map((load) => [load, [] as Sample[]]));
    const before = await readInserts(target.processes());
    running.push({ target, samples, connections, before, insertAttempts: Number.NaN });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const load of loads) {
      for (const [turn] of running.entries()) {
        const { target, samples, connections } = running[(round + turn) % running.length] as (typeof running)[number];
        const sample = samples.has(load) && (await measure(target, connections, load, seconds));
        if (!sample) continue;
        samples.get(load)?.push(sample);
        const figures = `${format(sample.perSecond)} messages/s, p50 ${format(sample.p50, 2)} ms`;
        logProgress(
          `round ${round + 1}, ${load}, ${target.name}: ${figures}, CPU ${format(sumCpu(sample.cpu, ALL))} µs`,
        );
      }
    }
  }
  for (const measured of running) {
    const after = await readInserts(measured.target.processes());
    for (const connection of measured.connections) connection.close();
    const { attempts, batches } = measured.before;
    measured.insertAttempts = (after.attempts - attempts) / (after.batches - batches);
  }
  return running;
}

/** Adds the rounds of targets that were started again. */
function addRounds(measured: Measured[], more: readonly Measured[]): void {
  for (const next of more) {
    const known = measured.find(({ target }) => target.name === next.target.name);
    if (!known) {
      measured.push(next);
      continue;
    }
    for (const [load, samples] of next.samples) known.samples.get(load)?.push(...samples);
    known.insertAttempts = (known.insertAttempts + next.insertAttempts) / 2;
  }
}

async function measure(target: Target, connections: Connection[], load: LoadName, seconds: number): Promise<Sample> {
  const { latencies, perSecond, cpu } = await withCpu(target.processes, () => runLoad(connections, load, seconds));
  return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), cpu };
}

/** Returns the median of a figure over the rounds. */
export const medianOf = (samples: readonly Sample[], figure: (sample: Sample) => number): number =>
  median(samples.map(figure));
