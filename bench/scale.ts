import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { readArguments } from "../tools/src/arguments.ts";
import { repoRoot } from "../tools/src/root.ts";
import { explain, say } from "../tools/src/say.ts";
import { format, printTable } from "./figures.ts";
import { cpuTimes } from "./load/cpu.ts";
import { runOpen } from "./load/load.ts";
import { drawLines } from "./plot.ts";
import { startFull } from "./targets/full.ts";

// npm run bench:scale: what an instance does as instances are added, with the same load per instance each time. It must
// stay the same: an instance that works for other instances' users makes adding instances pointless.
const HELP = `npm run bench:scale -- [options]
  --instances LIST  numbers of realtime instances (1,2,3,4)
  --users N         users per instance (60)
  --rate N          messages per second and instance (150)
  --seconds N       length of each measurement (6)
  --draw            writes docs/images/scale.svg`;
const { values } = readArguments(HELP, {
  options: {
    instances: { type: "string", default: "1,2,3,4" },
    users: { type: "string", default: "60" },
    rate: { type: "string", default: "150" },
    seconds: { type: "string", default: "6" },
    draw: { type: "boolean", default: false },
  },
});
const [users, rate, seconds] = [Number(values.users), Number(values.rate), Number(values.seconds)];

interface Figures {
  instances: number;
  messages: number;
  /** CPU milliseconds of one realtime instance per second. */
  realtimeCpu: number;
  /** Events that one realtime instance got from Redis, per second. */
  eventsHeard: number;
  /** Commands that clients sent to Redis and batches of messages stored, per 1,000 messages. */
  redisCommands: number;
  batches: number;
}

try {
  const figures: Figures[] = [];
  for (const instances of values.instances.split(",").map(Number)) {
    const found = await measure(instances);
    figures.push(found);
    say(`${instances} instances: ${found.messages} messages, load average ${loadavg()[0]?.toFixed(1)}`);
  }
  process.stdout.write(`\n${users} users and ${rate} messages/s for each instance\n\n`);
  printTable(
    ["realtime instances", ...figures.map(({ instances }) => String(instances))],
    [
      ["messages/s", ...figures.map(({ messages }) => format(messages / seconds))],
      ["CPU ms per second, one instance", ...figures.map(({ realtimeCpu }) => format(realtimeCpu))],
      ["events heard per second, one instance", ...figures.map(({ eventsHeard }) => format(eventsHeard))],
      ["Redis commands per 1,000 messages", ...figures.map(({ redisCommands }) => format(redisCommands))],
      ["batches stored per 1,000 messages", ...figures.map(({ batches }) => format(batches))],
    ],
  );
  if (values.draw) await draw(figures);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

async function measure(instances: number): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), "messageoh-bench-"));
  const target = await startFull(dataDir, { realtimeInstances: instances });
  const portOf = (name: string) => target.processes().find((each) => each.name === name)?.port;
  const redis = new Redis(`redis://127.0.0.1:${portOf("redis")}`);
  try {
    const connections = await target.connect(users * instances);
    const perSecond = rate * instances;
    await runOpen(connections, { perSecond, seconds: 4 });
    const before = { cpu: cpuTimes(target.processes()), ...(await counters()) };
    const { messages } = await runOpen(connections, { perSecond, seconds });
    const after = { cpu: cpuTimes(target.processes()), ...(await counters()) };
    for (const connection of connections) connection.close();
    const cpu = [...after.cpu].filter(([name]) => name.startsWith("svc-realtime"));
    const used = cpu.reduce((sum, [name, ms]) => sum + ms - (before.cpu.get(name) ?? 0), 0);
    const per1000 = (figure: "commands" | "batches") => ((after[figure] - before[figure]) / messages) * 1_000;
    return {
      instances,
      messages,
      realtimeCpu: used / instances / seconds,
      eventsHeard: (after.heard - before.heard) / instances / seconds,
      redisCommands: per1000("commands"),
      batches: per1000("batches"),
    };
  } finally {
    redis.disconnect();
    await target.stop();
    await rm(dataDir, { recursive: true, force: true });
  }

  async function counters() {
    const stats = await redis.info("commandstats");
    const callsOf = (command: string) => Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
    const metrics = await metricsOf(portOf("svc-messages"));
    const realtime = target.processes().filter(({ name }) => name.startsWith("svc-realtime"));
    const heard = await Promise.all(
      realtime.map(async ({ port }) => sumOf(await metricsOf(port), "messageoh_realtime_delivery_seconds_count")),
    );
    return {
      // What a script publishes is not sent by a client.
      commands: callsOf("evalsha") + callsOf("eval") + callsOf("zadd") + callsOf("pexpire") + callsOf("ping"),
      batches: sumOf(metrics, "messageoh_messages_write_batch_size_count"),
      heard: heard.reduce((sum, each) => sum + each, 0),
    };
  }
}

async function metricsOf(port: number | undefined): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** The sum of all samples of one metric. */
function sumOf(metrics: string, name: string): number {
  const lines = metrics.split("\n").filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

async function draw(figures: readonly Figures[]): Promise<void> {
  const line = (name: string, figure: (of: Figures) => number) => ({
    name,
    points: figures.map((each): [number, number] => [each.instances, figure(each)]),
  });
  const svg = drawLines(
    `Work of one realtime instance, ${users} users and ${rate} messages/s each`,
    "realtime instances",
    [
      line("CPU ms per second", ({ realtimeCpu }) => realtimeCpu),
      line("events heard per second", ({ eventsHeard }) => eventsHeard),
    ],
  );
  await writeFile(join(repoRoot(), "docs/images/scale.svg"), svg);
}
