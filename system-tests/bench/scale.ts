import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { sumOf } from "@messageoh/service-kit/testing/metrics";
import { readOptions } from "@messageoh/stack/command/arguments";
import { runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { printTable } from "@messageoh/stack/command/table";
import type { ProcessEntry } from "@messageoh/stack/processes/part";
import { format, median } from "./figures.ts";
import { measureIdle } from "./idle.ts";
import { ALL, type Cpu, DATABASE, NOT_DATABASE, sumCpu, withCpu } from "./load/cpu.ts";
import { type LoadName, runOpen } from "./load/load.ts";
import { scrape } from "./load/metrics.ts";
import { type Measured, measureInBothOrders, ratios, type Sample, type StartTarget } from "./rounds.ts";
import { startFull } from "./targets/full.ts";

const PARTS = ["users", "messages", "realtime", "media", "gateway"];

// npm run bench:scale measures the work of one realtime instance as instances are added, and of all processes as
// instances of any part are added. Both should stay constant. It also measures the cost of browsers that do nothing.
const { values } = readOptions("npm run bench:scale", {
  instances: ["1,2,3,4", "LIST", 'numbers of realtime instances at a fixed rate; "" skips this part'],
  users: [60, "N", "users per realtime instance"],
  rate: [150, "N", "messages per second per realtime instance"],
  parts: [PARTS.join(), "LIST", 'parts with one and several instances at a fixed rate; "" skips this part'],
  messages: ["1,3", "LIST", 'numbers of svc-messages instances at full speed; "" skips this part'],
  idle: [5000, "N", "idle browsers with one friend each; 0 skips this part"],
  "idle-seconds": [60, "N", "length of the measurement of idle browsers"],
  rounds: [6, "N", "interleaved rounds at full speed, half of them with the targets started in the opposite order"],
  seconds: [6, "N", "length of each measurement"],
  "warm-up": [12, "N", "seconds of load before each first measurement"],
  json: [undefined, "FILE", "also writes the figures as JSON"],
});
const { users, rate, rounds, seconds, "warm-up": warmUpSeconds } = values;
const listOf = (text: string): number[] => text.split(",").filter(Boolean).map(Number);

type Figures = Record<string, number>;
/** Messages in flight in the comparison of svc-messages instances. */
const FULL_SPEED = "64";
/** A rate below saturation. */
const STEADY = "300/s";
const SERVICES = "CPU ms per 1,000 messages, without the database";
const GROUPS: Record<string, RegExp> = {
  [SERVICES]: NOT_DATABASE,
  "of it svc-realtime": /^svc-realtime/,
  "of it svc-messages": /^svc-messages/,
  "of it svc-users": /^svc-users/,
  "of it the gateway": /^gateway/,
  "of it Redis": /^redis/,
  "the database": DATABASE,
};
const cpuFigures = (all: Cpu[]): Figures =>
  Object.fromEntries(
    Object.entries(GROUPS).map(([name, group]) => [name, median(all.map((cpu) => sumCpu(cpu, group)))]),
  );

await runCommand("bench", async ({ dir }) => {
  const realtime: [string, Figures][] = [];
  for (const instances of listOf(values.instances)) {
    realtime.push([String(instances), await measureRealtime(dir, instances)]);
    logProgress(`${instances} realtime instances measured, load average ${loadavg()[0]?.toFixed(1)}`);
  }
  const parts: [string, Figures][] = [];
  for (const part of values.parts.split(",").filter(Boolean)) parts.push([part, await measurePart(dir, part)]);
  const counts = listOf(values.messages);
  const measured = await measureMessages(dir, counts);
  const messages = measured.map(messagesFigures);
  const summary = summarise(measured, sameForEach(counts));
  if (values.idle > 0) {
    Object.assign(summary, await measureIdle(join(dir, "idle"), values.idle, values["idle-seconds"]));
  }
  print(`${users} users and ${rate} messages/s each, with live events`, "realtime instances", realtime);
  print(`One and three instances (svc-realtime: two and four) at ${STEADY}; medians`, "figure", parts);
  print("At full speed, with two realtime instances; medians", "svc-messages instances", messages);
  if (Object.keys(summary).length > 0)
    print("Summary; ratios are medians of the rounds", "figure", [["value", summary]]);
  const json = {
    ...summary,
    realtime: Object.fromEntries(realtime),
    parts: Object.fromEntries(parts),
    messages: Object.fromEntries(messages),
  };
  if (values.json) await writeFile(values.json, `${JSON.stringify(json, null, 2)}\n`);
});

function print(title: string, head: string, columns: readonly [string, Figures][]): void {
  if (columns.length === 0) return;
  process.stdout.write(`\n${title}\n\n`);
  const rows = Object.keys(columns[0]?.[1] ?? {}).map((name) => [
    name,
    ...columns.map(([, figures]) => format(figures[name] as number, (figures[name] as number) < 10 ? 3 : 0)),
  ]);
  printTable([head, ...columns.map(([name]) => name)], rows);
}

/** Measures a stack under a fixed load per realtime instance, including live events. */
async function measureRealtime(dir: string, instances: number): Promise<Figures> {
  const options = { realtimeInstances: instances, isLive: true };
  const { processes, connect, stop } = await startFull(join(dir, `realtime-${instances}`), options);
  try {
    const connections = await connect(users * instances);
    const perSecond = rate * instances;
    await runOpen(connections, { perSecond, seconds: warmUpSeconds });
    const before = await receivedEvents(processes());
    const { messages, cpu } = await withCpu(processes, () => runOpen(connections, { perSecond, seconds }));
    const after = await receivedEvents(processes());
    for (const connection of connections) connection.close();
    const perInstance = (counter: keyof typeof after) => (after[counter] - before[counter]) / instances / seconds;
    return {
      "messages/s": messages / seconds,
      "CPU ms per second, one instance": (sumCpu(cpu, /^svc-realtime/) * messages) / 1_000 / instances / seconds,
      "events received per second, one instance": perInstance("received"),
      "typing and presence received per second, one instance": perInstance("fromPeers"),
      ...cpuFigures([cpu]),
    };
  } finally {
    await stop();
  }
}

/** Returns the events that all realtime instances received: those of svc-messages, and typing and presence. */
async function receivedEvents(processes: readonly ProcessEntry[]): Promise<{ received: number; fromPeers: number }> {
  const samples = await scrape(processes, "svc-realtime");
  return {
    received: sumOf(samples, "messageoh_realtime_deliveries_total"),
    fromPeers: sumOf(samples, "messageoh_realtime_peer_events_total"),
  };
}

/** Measures a stack for each number of svc-messages instances, and the first number again with live events. */
function measureMessages(dir: string, counts: readonly number[]): Promise<Measured[]> {
  const starts = [...counts, ...counts.slice(0, 1)].map((messagesInstances, index): StartTarget => {
    const isLive = index === counts.length;
    const name = `${messagesInstances}${isLive ? ", live events" : ""}`;
    return async (path) => ({ ...(await startFull(path, { messagesInstances, isLive })), name });
  });
  const loads = [...new Set<LoadName>([FULL_SPEED, sameForEach(counts)])];
  return measureInBothOrders(starts, join(dir, "messages"), { loads, rounds, seconds, warmUpSeconds });
}

/** Returns the load with as many messages in flight per instance for the largest number as for the smallest. */
function sameForEach(counts: readonly number[]): LoadName {
  return `${Math.round((Number(FULL_SPEED) * (counts.at(-1) ?? 1)) / (counts[0] ?? 1))}`;
}

/** Compares several instances of a part with the usual number at the same rate. */
async function measurePart(dir: string, part: string): Promise<Figures> {
  const starts = [{}, { [`${part}Instances`]: part === "realtime" ? 4 : 3 }].map(
    (options, index): StartTarget =>
      async (path) => ({ ...(await startFull(path, options)), name: `${part} ${index}` }),
  );
  const measured = await measureInBothOrders(starts, join(dir, part), {
    loads: [STEADY],
    rounds,
    seconds,
    warmUpSeconds,
  });
  const [one = [], several = []] = measured.map(({ samples }) => samples.get(STEADY) ?? []);
  const ratioOf = (group: RegExp) => median(ratios(several, one, ({ cpu }) => sumCpu(cpu, group)));
  return {
    "CPU ms per 1,000 messages, usual number": median(one.map(({ cpu }) => sumCpu(cpu, ALL))),
    "CPU ms per 1,000 messages, several instances": median(several.map(({ cpu }) => sumCpu(cpu, ALL))),
    "ratio of the rounds": ratioOf(ALL),
    "ratio without the database": ratioOf(NOT_DATABASE),
    "ratio of the p50": median(ratios(several, one, ({ p50 }) => p50)),
  };
}

function atFullSpeed({ samples }: Measured, load: LoadName = FULL_SPEED): Sample[] {
  return samples.get(load) ?? [];
}

function messagesFigures(measured: Measured): [string, Figures] {
  const { target, insertAttempts } = measured;
  const samples = atFullSpeed(measured);
  const perSecond = median(samples.map((sample) => sample.perSecond));
  const cpu = cpuFigures(samples.map((sample) => sample.cpu));
  return [target.name, { "messages/s": perSecond, "insert attempts per batch": insertAttempts, ...cpu }];
}

/** Compares the largest with the smallest number of svc-messages instances. */
function summarise(measured: readonly Measured[], sameLoad: LoadName): Figures {
  const [first, last] = [measured[0], measured.at(-2)];
  if (!first || !last) return {};
  const [few, many] = [first.target.name, last.target.name];
  const ratio = (figure: (sample: Sample) => number, load?: LoadName) =>
    median(ratios(atFullSpeed(last, load), atFullSpeed(first), figure));
  return {
    [`per_second_messages${many}_over_messages${few}`]: ratio(({ perSecond }) => perSecond),
    [`cpu_messages${many}_over_messages${few}`]: ratio(({ cpu }) => sumCpu(cpu, NOT_DATABASE)),
    [`cpu_messages_${many}_over_${few}`]: ratio(({ cpu }) => sumCpu(cpu, ALL)),
    [`cpu_messages_${many}_over_${few}_same_in_flight_each`]: ratio(({ cpu }) => sumCpu(cpu, ALL), sameLoad),
    [`insert_attempts_per_batch_messages${many}`]: last.insertAttempts,
  };
}
