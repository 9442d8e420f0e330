import type { ConnectionFigures } from "./connections.ts";
import { format, median, printTable, spread } from "./figures.ts";
import { NOT_DATABASE, sumCpu } from "./load/cpu.ts";
import { type Measured, medianRatio, type Sample, type Steady } from "./rounds.ts";

export type Summary = Record<string, number | null>;

const TUNED_RATE = 1_000;

/** Returns the figures that have targets in docs/performance.md. */
export function summarise(measured: readonly Measured[], connections: ConnectionFigures | null): Summary {
  const find = (name: string) => measured.find(({ target }) => target.name === name);
  const fullOver = (name: string, figure: (sample: Sample) => number): number | null => {
    const [full, other] = [find("full")?.samples, find(name)?.samples];
    return full && other ? medianRatio(full, other, figure) : null;
  };
  const p50At =
    (rate: number) =>
    ({ steady }: Sample): number =>
      steady.get(rate)?.p50 ?? Number.NaN;
  return {
    full_over_r: fullOver("R", ({ perSecond }) => perSecond),
    full_over_peer: fullOver("peer", ({ perSecond }) => perSecond),
    p50_full_over_r: fullOver("R", p50At(1_000)),
    p50_full_over_peer: fullOver("peer", p50At(400)),
    cpu_full_over_r: fullOver("R", ({ cpu }) => sumCpu(cpu, NOT_DATABASE)),
    insert_attempts_per_batch: find("full")?.insertAttempts ?? null,
    kb_per_connection: connections?.kbPerConnection ?? null,
    connections_per_second: connections?.perSecond ?? null,
    sockets_killed: connections?.sockets ?? null,
    seconds_until_half_back: connections?.halfBackAfter ?? null,
    seconds_until_back: connections?.allBackAfter ?? null,
  };
}

export function printReport(measured: readonly Measured[], summary: Summary): void {
  process.stdout.write("\nMedian (minimum to maximum) of the rounds\n\n");
  printTable(
    ["path", "messages/s at full speed"],
    measured.map(({ target, samples }) => [target.name, spread(samples.map(({ perSecond }) => perSecond))]),
  );
  process.stdout.write("Latency from sending to delivery at a steady rate\n\n");
  printTable(
    ["path", "messages/s", "p50 ms", "p95 ms", "p99 ms"],
    measured.flatMap(({ target, samples }) =>
      target.rates.map((rate) => {
        const steady = samples.map((sample) => sample.steady.get(rate) as Steady);
        const all = (name: "p50" | "p95" | "p99") => steady.map((each) => each[name]);
        return [target.name, format(rate), spread(all("p50"), 2), spread(all("p95"), 1), spread(all("p99"), 1)];
      }),
    ),
  );
  process.stdout.write("CPU milliseconds per 1,000 messages\n\n");
  printTable(
    ["path", "process", "at full speed", `at ${format(TUNED_RATE)}/s`],
    measured.flatMap(({ target, samples }) =>
      [...(samples[0]?.cpu.keys() ?? [])].map((name) => {
        const fast = median(samples.map(({ cpu }) => cpu.get(name) ?? 0));
        const steady = median(samples.map((sample) => sample.steady.get(TUNED_RATE)?.cpu.get(name) ?? Number.NaN));
        return [target.name, name, format(fast, 1), format(steady, 1)];
      }),
    ),
  );
  printTable(
    ["figure", "value"],
    Object.entries(summary).map(([name, value]) => [name, value === null ? "not measured" : format(value, 2)]),
  );
}
