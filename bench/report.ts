import type { ConnectionFigures } from "./connections.ts";
import { format, median, printTable, spread } from "./figures.ts";
import type { Measured, Sample } from "./rounds.ts";

export type Summary = Record<string, number | null>;

/** The ratios that the targets in docs/performance.md are about: medians over the rounds of the ratio in each round. */
export function summarise(measured: readonly Measured[], connections: ConnectionFigures | null): Summary {
  const samplesOf = (name: string) => measured.find(({ target }) => target.name === name)?.samples;
  const ratio = (of: string, to: string, figure: (sample: Sample) => number): number | null => {
    const [ours, others] = [samplesOf(of), samplesOf(to)];
    if (!ours || !others) return null;
    return median(ours.map((sample, round) => figure(sample) / figure(others[round] as Sample)));
  };
  const database = new Set(measured.flatMap(({ target }) => target.database));
  const cpuWithoutDatabase = ({ cpu }: Sample) =>
    [...cpu].reduce((sum, [name, ms]) => (database.has(name) ? sum : sum + ms), 0);
  const overFloor = (path: string): Summary => ({
    [`${path}_over_r`]: ratio(path, "R", ({ perSecond }) => perSecond),
    [`p50_${path}_over_r`]: ratio(path, "R", ({ p50 }) => p50),
    [`cpu_${path}_over_r`]: ratio(path, "R", cpuWithoutDatabase),
  });
  return {
    ...overFloor("full"),
    ...(samplesOf("unstored") && overFloor("unstored")),
    ...(samplesOf("pinged") && overFloor("pinged")),
    full_over_peer: ratio("full", "peer", ({ perSecond }) => perSecond),
    kb_per_connection: connections?.kbPerConnection ?? null,
    connections_per_second: connections?.perSecond ?? null,
    sockets_killed: connections?.sockets ?? null,
    seconds_until_back: connections?.allBackAfter ?? null,
  };
}

export function printReport(
  measured: readonly Measured[],
  connections: ConnectionFigures | null,
  summary: Summary,
): void {
  process.stdout.write(
    "\nMedian (smallest to largest) of the rounds. Latency: from sending to delivery, at 1,000 messages/s.\n\n",
  );
  printTable(
    ["path", "messages/s", "p50 ms", "p95 ms", "p99 ms"],
    measured.map(({ target, samples }) => [
      target.name,
      spread(samples.map(({ perSecond }) => perSecond)),
      spread(
        samples.map(({ p50 }) => p50),
        2,
      ),
      spread(
        samples.map(({ p95 }) => p95),
        1,
      ),
      spread(
        samples.map(({ p99 }) => p99),
        1,
      ),
    ]),
  );
  process.stdout.write("CPU milliseconds per 1,000 messages at full speed\n\n");
  printTable(
    ["path", "process", "ms"],
    measured.flatMap(({ target, samples }) =>
      [...(samples[0]?.cpu.keys() ?? [])].map((name) => {
        return [target.name, name, format(median(samples.map(({ cpu }) => cpu.get(name) ?? 0)), 1)];
      }),
    ),
  );
  if (connections) {
    const { perSecond, kbPerConnection, sockets, halfBackAfter, allBackAfter } = connections;
    process.stdout.write(
      `Connections: ${format(perSecond)} made per second, ${format(kbPerConnection, 1)} kB each when idle. ` +
        `${format(sockets)} sockets of a killed instance: half are back after ${format(halfBackAfter, 1)} s, ` +
        `all after ${format(allBackAfter, 1)} s.\n\n`,
    );
  }
  printTable(
    ["figure", "value"],
    Object.entries(summary).map(([name, value]) => [name, value === null ? "not measured" : format(value, 2)]),
  );
}
