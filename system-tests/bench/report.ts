import { printTable } from "@messageoh/stack/command/table";
import type { ConnectionFigures } from "./connections.ts";
import { format, median, spread } from "./figures.ts";
import { ALL, DATABASE, NOT_DATABASE, sumCpu } from "./load/cpu.ts";
import { type LoadName, rateOf } from "./load/load.ts";
import { type Measured, medianOf, ratios, type Sample } from "./rounds.ts";

export type Summary = Record<string, number | null>;
type Figure = (sample: Sample) => number;

/** Relative difference between two rounds of an unchanged target above which other work distorts the figures. */
const NOISY = 0.3;

const perSecond: Figure = (sample) => sample.perSecond;
const p50: Figure = (sample) => sample.p50;
const cpuOf =
  (processes: RegExp): Figure =>
  ({ cpu }) =>
    sumCpu(cpu, processes);

/** Returns the figures that have targets in docs/performance.md, and those that explain them. */
export function summarise(measured: readonly Measured[], connections: ConnectionFigures | null): Summary {
  const find = (name: string) => measured.find(({ target }) => target.name === name);
  const fullOver = (name: string, load: LoadName, figure: Figure): number | null => {
    const [full, other] = [find("full")?.samples.get(load), find(name)?.samples.get(load)];
    return full && other ? median(ratios(full, other, figure)) : null;
  };
  const mongod = find("full")?.samples.get("600");
  return {
    full_over_r: fullOver("R", "64", perSecond),
    full_over_r_600: fullOver("R", "600", perSecond),
    full_over_peer: fullOver("peer", "64", perSecond),
    p50_full_over_r: fullOver("R", "1000/s", p50),
    p50_full_over_peer: fullOver("peer", "400/s", p50),
    cpu_full_over_r: fullOver("R", "64", cpuOf(NOT_DATABASE)),
    cpu_full_over_r_600: fullOver("R", "600", cpuOf(ALL)),
    cpu_full_over_r_1000: fullOver("R", "1000/s", cpuOf(ALL)),
    mongod_us_600: mongod ? medianOf(mongod, cpuOf(DATABASE)) : null,
    against_cpu_600: fullOver("against", "600", cpuOf(ALL)),
    against_cpu_1000: fullOver("against", "1000/s", cpuOf(ALL)),
    against_mongod_600: fullOver("against", "600", cpuOf(DATABASE)),
    against_per_second_64: fullOver("against", "64", perSecond),
    against_per_second_600: fullOver("against", "600", perSecond),
    against_p50_400: fullOver("against", "400/s", p50),
    noise: noiseOf(find("R") ?? find("against")),
    insert_attempts_per_batch: find("full")?.insertAttempts ?? null,
    kb_per_connection: connections?.kbPerConnection ?? null,
    connections_per_second: connections?.perSecond ?? null,
    sockets_killed: connections?.sockets ?? null,
    seconds_until_half_back: connections?.halfBackAfter ?? null,
    seconds_until_back: connections?.allBackAfter ?? null,
  };
}

/** Returns the largest relative difference of the CPU time per message between two rounds under the same load. */
function noiseOf(unchanged: Measured | undefined): number | null {
  if (!unchanged) return null;
  const spreads = [...unchanged.samples.values()].map((samples) => {
    const all = samples.map(cpuOf(ALL));
    return (Math.max(...all) - Math.min(...all)) / median(all);
  });
  return Math.max(0, ...spreads);
}

export function printReport(measured: readonly Measured[], loads: readonly LoadName[], summary: Summary): void {
  for (const load of loads) printLoad(measured, load);
  process.stdout.write("CPU milliseconds per 1,000 messages, by process\n\n");
  printTable(
    ["path", "process", ...loads.map(titleOf)],
    measured.flatMap(({ target, samples }) =>
      [...([...samples.values()][0]?.[0]?.cpu.keys() ?? [])].map((name) => {
        const cells = loads.map((load) => median((samples.get(load) ?? []).map(({ cpu }) => cpu.get(name) ?? 0)));
        return [target.name, name, ...cells.map((ms) => format(ms, 1))];
      }),
    ),
  );
  printTable(
    ["figure", "value"],
    Object.entries(summary).map(([name, value]) => [name, value === null ? "not measured" : format(value, 2)]),
  );
  if ((summary.noise ?? 0) > NOISY) {
    const percent = `${format((summary.noise as number) * 100)} %`;
    process.stdout.write(
      `The machine is noisy: the CPU time of an unchanged path differs by ${percent} between rounds.\n`,
    );
  }
}

const titleOf = (load: LoadName): string => (rateOf(load) ? load : `${load} in flight`);

/** Prints a row per target under this load, and the ratios to the other commit. */
function printLoad(measured: readonly Measured[], load: LoadName): void {
  const columns: [string, Figure, number][] = [
    ["messages/s", perSecond, 0],
    ["p50 ms", p50, 2],
    ["p99 ms", ({ p99 }) => p99, 1],
    ["CPU, all", cpuOf(ALL), 0],
    ["CPU, database", cpuOf(DATABASE), 0],
  ];
  const samplesOf = (name: string) => measured.find(({ target }) => target.name === name)?.samples.get(load);
  const rows = measured.flatMap(({ target: { name } }) => {
    const samples = samplesOf(name);
    return samples ? [[name, ...columns.map(([, figure, digits]) => spread(samples.map(figure), digits))]] : [];
  });
  const [full, against] = [samplesOf("full"), samplesOf("against")];
  if (full && against) {
    rows.push(["full / against", ...columns.map(([, figure]) => spread(ratios(full, against, figure), 2))]);
  }
  process.stdout.write(`\n${titleOf(load)}: median (minimum to maximum); CPU in ms per 1,000 messages\n\n`);
  printTable(["path", ...columns.map(([title]) => title)], rows);
}
