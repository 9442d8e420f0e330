import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments, refuse } from "@messageoh/cli/arguments";
import { explain, say } from "@messageoh/cli/say";
import { startStack } from "@messageoh/stack/stack";
import { runChaos } from "./run.ts";
import { judge, type Verdict } from "./verdict.ts";

// npm run chaos: shows that no message is lost, doubled or out of order whatever dies meanwhile.
const HELP = `npm run chaos -- [options]
  --minutes N      how long faults strike (2)
  --pairs N        pairs of friends, four tabs each (50)
  --rate N         messages per second in all (80)
  --fault-every S  seconds between two faults on average (7)
  --seed N         repeats the order of faults and messages
  --only FAULT     strikes with this fault only; may be given several times
  --messages N     svc-messages instances (2)
  --without WHAT   outbox or catch-up: clients without that measure, to see the run fail`;

const { values } = readArguments(HELP, {
  options: {
    minutes: { type: "string", default: "2" },
    pairs: { type: "string", default: "50" },
    rate: { type: "string", default: "80" },
    "fault-every": { type: "string", default: "7" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", multiple: true, default: [] },
    messages: { type: "string", default: "2" },
    without: { type: "string", multiple: true, default: [] },
  },
});
const unknown = values.without.find((what) => what !== "outbox" && what !== "catch-up");
if (unknown !== undefined) refuse(HELP, `--without takes outbox or catch-up, not ${unknown}`);

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-chaos-"));
// Hashing is not what is tested here, and a line per message would fill the disk.
Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "warn" });
let code = 1;
try {
  const stack = await startStack({
    dataDir,
    realtimeInstances: 3,
    messagesInstances: Number(values.messages),
    mongoMembers: 3,
    raisesLimits: true,
  });
  const end = () => void stack.stop().then(() => process.exit(1));
  process.on("SIGINT", end).on("SIGTERM", end);
  const startedAt = Date.now();
  const { pairs, faults } = await runChaos(stack, {
    minutes: Number(values.minutes),
    pairs: Number(values.pairs),
    rate: Number(values.rate),
    faultEvery: Number(values["fault-every"]),
    seed: Number(values.seed),
    only: values.only,
    keepsUnsent: !values.without.includes("outbox"),
    catchesUp: !values.without.includes("catch-up"),
  });
  const verdict = await judge(pairs);
  for (const client of pairs.flatMap((pair) => [...pair.tabs, ...pair.observers])) client.close();
  const isKept = report(verdict, faults, Math.round((Date.now() - startedAt) / 1_000));
  code = isKept ? 0 : 1;
  await stack.stop();
  if (isKept) await rm(dataDir, { recursive: true, force: true });
  else say(`the logs are in ${dataDir}`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
}
process.exit(code);

/** Prints the table. Answers whether every message was kept. */
function report(verdict: Verdict, faults: Map<string, number>, seconds: number): boolean {
  const { details, ...numbers } = verdict;
  const strikes = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const rows: [string, string | number][] = [
    ["seed", values.seed as string],
    ["seconds", seconds],
    ["faults", strikes],
    ["sent", numbers.sent],
    ["acked", numbers.acked],
    ["stored", numbers.stored],
    ["received by tabs that catch up", numbers.received],
    ["due to tabs that only listen", numbers.observed],
    ["lost", numbers.lost],
    ["doubled", numbers.doubled],
    ["out of order", numbers.outOfOrder],
    ["never acked", numbers.sent - numbers.acked],
    ["refused", numbers.refused],
    ["wrong unread counts", numbers.wrongUnread],
    ["wrongly signed out", numbers.wrongVerdicts],
    ["stale thread lists", numbers.staleStates],
    ["longest silence, ms", numbers.longestWait],
  ];
  const lines = [...faults].sort().map(([name, count]) => `${String(count).padStart(4)} × ${name}`);
  const table = rows.map(([name, value]) => `${name.padEnd(34)}${String(value).padStart(10)}`);
  process.stdout.write(`\n${[...lines, "", ...table, ""].join("\n")}\n`);
  for (const detail of details.slice(0, 20)) process.stdout.write(`${detail}\n`);
  const wrong = [
    numbers.lost,
    numbers.doubled,
    numbers.outOfOrder,
    numbers.refused,
    numbers.wrongUnread,
    numbers.wrongVerdicts,
    numbers.staleStates,
  ];
  const isKept =
    wrong.every((count) => count === 0) && numbers.acked === numbers.sent && numbers.stored === numbers.sent;
  process.stdout.write(isKept ? "Every message was kept.\n" : "MESSAGES WERE NOT KEPT.\n");
  return isKept;
}
