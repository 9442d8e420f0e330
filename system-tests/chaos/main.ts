import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitWithUsage, readArguments } from "@messageoh/cli/arguments";
import { formatError, logProgress } from "@messageoh/cli/progress";
import { startStack } from "@messageoh/stack/stack";
import { runChaos } from "./run.ts";
import { judge, type Verdict } from "./verdict.ts";

// npm run chaos checks that no message is lost, duplicated or out of order while processes fail.
const HELP = `npm run chaos -- [options]
  --minutes N      duration of the fault injection (2)
  --pairs N        pairs of friends, four tabs each (50)
  --rate N         messages per second in total (80)
  --fault-every S  average seconds between two faults (7)
  --seed N         repeats the order of faults and messages
  --only FAULT     injects this fault only; repeatable
  --messages N     svc-messages instances (2)
  --without WHAT   outbox or catch-up: disables it in the clients, to see the run fail`;

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
if (unknown !== undefined) exitWithUsage(HELP, `--without takes outbox or catch-up, not ${unknown}`);

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-chaos-"));
// Fast hashing, and no log line per message.
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
    retriesUnsent: !values.without.includes("outbox"),
    catchesUp: !values.without.includes("catch-up"),
  });
  const verdict = await judge(pairs);
  for (const client of pairs.flatMap((pair) => [...pair.tabs, ...pair.observers])) client.close();
  const isKept = report(verdict, faults, Math.round((Date.now() - startedAt) / 1_000));
  code = isKept ? 0 : 1;
  await stack.stop();
  if (isKept) await rm(dataDir, { recursive: true, force: true });
  else logProgress(`the logs are in ${dataDir}`);
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
}
process.exit(code);

/** Prints the results and returns whether every message was kept. */
function report(verdict: Verdict, faults: Map<string, number>, seconds: number): boolean {
  const { details, ...numbers } = verdict;
  const injected = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const rows: [string, string | number][] = [
    ["seed", values.seed as string],
    ["seconds", seconds],
    ["faults", injected],
    ["sent", numbers.sent],
    ["acked", numbers.acked],
    ["stored", numbers.stored],
    ["received by tabs with catch-up", numbers.received],
    ["due to tabs without catch-up", numbers.observed],
    ["lost", numbers.lost],
    ["doubled", numbers.duplicated],
    ["out of order", numbers.outOfOrder],
    ["never acked", numbers.sent - numbers.acked],
    ["refused", numbers.rejected],
    ["wrong unread counts", numbers.wrongUnread],
    ["wrongly signed out", numbers.wrongSignOuts],
    ["stale thread lists", numbers.staleLists],
    ["longest delivery, ms", numbers.longestDeliveryMs],
  ];
  const lines = [...faults].sort().map(([name, count]) => `${String(count).padStart(4)} × ${name}`);
  const table = rows.map(([name, value]) => `${name.padEnd(34)}${String(value).padStart(10)}`);
  process.stdout.write(`\n${[...lines, "", ...table, ""].join("\n")}\n`);
  for (const detail of details.slice(0, 20)) process.stdout.write(`${detail}\n`);
  const wrong = [
    numbers.lost,
    numbers.duplicated,
    numbers.outOfOrder,
    numbers.rejected,
    numbers.wrongUnread,
    numbers.wrongSignOuts,
    numbers.staleLists,
  ];
  const isKept =
    wrong.every((count) => count === 0) && numbers.acked === numbers.sent && numbers.stored === numbers.sent;
  process.stdout.write(isKept ? "Every message was kept.\n" : "MESSAGES WERE NOT KEPT.\n");
  return isKept;
}
