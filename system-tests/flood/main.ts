import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { exitWithUsage, readArguments } from "@messageoh/cli/arguments";
import { formatError, logProgress } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { type Stack, startStack } from "@messageoh/stack/stack";
import { Account, withRetries } from "../client/account.ts";
import { INSPECTABLE } from "../fuzz/memory.ts";
import { valuesOf } from "../fuzz/sample.ts";
import { startChat } from "./chat.ts";
import { storeCrowd, TEXTS } from "./crowd.ts";
import { type HonestFigures, observe } from "./honest.ts";
import { checkLargestList } from "./largestList.ts";
import type { AttackOutcome, AttackPlan } from "./plan.ts";
import { podMemory } from "./podMemory.ts";
import { floodSlowReaders } from "./slowReaders.ts";
import { TARGETS, type Target } from "./targets.ts";

// npm run flood sends each call and event as fast as possible and measures the response times of other users.
const HELP = `npm run flood -- [options]
  --seconds N      duration of each attack (3)
  --quiet N        seconds without attack before each, for comparison (1.5)
  --cpu N          share of one core that the attacker may use (0.5)
  --count N        maximum of requests or events per attack (200000)
  --connections N  connections of the attacker (500)
  --chat-rate N    messages per second of other users (50)
  --tries N        attempts of an attack before a bound counts as violated (3)
  --only TEXT      only attacks whose name contains this text`;

const { values } = readArguments(HELP, {
  options: {
    seconds: { type: "string", default: "3" },
    quiet: { type: "string", default: "1.5" },
    cpu: { type: "string", default: "0.5" },
    count: { type: "string", default: "200000" },
    connections: { type: "string", default: "500" },
    "chat-rate": { type: "string", default: "50" },
    tries: { type: "string", default: "3" },
    only: { type: "string", default: "" },
  },
});
if (Number(values.cpu) <= 0 || Number(values.cpu) > 1) exitWithUsage(HELP, "--cpu must be above 0 and at most 1");
const LOGIN_MAX_MS = 2_000;
const CHAT_MAX_RATIO = 2;
const SOCKETS = 20;

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-flood-"));
Object.assign(process.env, { LOG_LEVEL: process.env.LOG_LEVEL ?? "warn", ...INSPECTABLE });
let code = 1;
try {
  const stack = await startStack({ dataDir });
  const end = () => void stack.stop().then(() => process.exit(1));
  process.on("SIGINT", end).on("SIGTERM", end);
  try {
    code = await run(stack);
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
}
process.exit(code);

async function run(stack: Stack): Promise<number> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  const violations: string[] = [];
  const pids = () => JSON.stringify(stack.processes());
  const pidsBefore = pids();
  const honest = await Account.register(url, "Honest");
  const friend = await Account.register(url, "Friend");
  const chat = await startChat(url, 4);
  const watch = (seconds: number) => observe(honest, chat, seconds, Number(values["chat-rate"]));
  await watch(3);

  const [crowded, talkative] = await Promise.all([
    Account.register(url, "Crowded"),
    Account.register(url, "Talkative"),
  ]);
  await Promise.all([crowded, talkative].map((account) => account.befriend(friend)));
  logProgress("storing 1,000 friends and 100,000 messages ...");
  await storeCrowd(stack.mongoUrl, [
    { account: crowded, text: TEXTS.long },
    { account: talkative, text: TEXTS.short },
  ]);
  violations.push(...(await checkLargestList(stack, crowded, "of 4,000 characters each")));
  violations.push(...(await checkLargestList(stack, talkative, "of one character each")));
  violations.push(...(await floodSlowReaders(stack)));

  /** Returns the attacker with the most data for a call. */
  const richest = ({ name }: Target) =>
    name === "GET /messages/:user_id" ? crowded : /GET .(threads|friends)/.test(name) ? talkative : undefined;
  printRow("", "", ..."sent 2xx 3xx 4xx 5xx none login quiet chat quiet ratio cpu load".split(" "));
  let addresses = 0;
  for (const target of TARGETS) {
    for (const isSignedIn of target.allowsAnonymous ? [true, false] : [true]) {
      if (!`${target.name} ${isSignedIn ? "account" : "anonymous"}`.includes(values.only)) continue;
      let violated: string[] = [];
      for (let attempt = 0; attempt === 0 || (violated.length > 0 && attempt < Number(values.tries)); attempt += 1) {
        const address = `127.0.${1 + attempt}.${(addresses % 250) + 1}`;
        const attacker = !isSignedIn
          ? friend
          : (richest(target) ?? (await withRetries(() => Account.register(url, "Attacker"))));
        const plan = await planOf(target, attacker, isSignedIn, address, friend);
        const quiet = await watch(Number(values.quiet));
        const attack = startAttack(plan);
        const attacked = await watch(plan.seconds);
        violated = report(target.name, isSignedIn, quiet, attacked, await attack);
      }
      addresses += 1;
      violations.push(...violated);
    }
  }
  chat.close();

  for (const { name, peakBytes, limitBytes } of podMemory(repoRoot(), stack)) {
    const [peak, limit] = [peakBytes, limitBytes].map((bytes) => (bytes ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : "-"));
    process.stdout.write(`${name.padEnd(20)}${peak?.padStart(10)} of ${limit}\n`);
    if (limitBytes !== undefined && !(peakBytes < limitBytes)) violations.push(`${name} used ${peak}`);
  }
  if (pids() !== pidsBefore) violations.push("a process was restarted");
  process.stdout.write(
    violations.length === 0 ? "All bounds hold.\n" : `BOUNDS ARE VIOLATED:\n${violations.join("\n")}\n`,
  );
  return violations.length === 0 ? 0 : 1;
}

async function planOf(
  target: Target,
  attacker: Account,
  isSignedIn: boolean,
  address: string,
  friend: Account,
): Promise<AttackPlan> {
  // The server may still process the previous attack.
  const thread_id = isSignedIn ? await withRetries(() => attacker.befriend(friend)) : "no-thread";
  const parts = await target.plan(valuesOf(attacker, friend, thread_id));
  return {
    ...parts,
    port: Number(new URL(attacker.url).port),
    seconds: Number(values.seconds),
    cpu: Number(values.cpu),
    countMax: Number(values.count),
    addresses: [address],
    connections: parts.events ? SOCKETS : Number(values.connections),
    cookie: isSignedIn ? attacker.cookie : "",
  };
}

async function startAttack(plan: AttackPlan): Promise<AttackOutcome> {
  const attacker = spawn(process.execPath, [join(import.meta.dirname, "attack.ts")], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const end = () => attacker.kill();
  process.once("exit", end);
  attacker.once("exit", () => process.off("exit", end));
  attacker.stdin.end(JSON.stringify(plan));
  return (await json(attacker.stdout)) as AttackOutcome;
}

/** Prints a row and returns the violated bounds. */
function report(
  name: string,
  isSignedIn: boolean,
  quiet: HonestFigures,
  attacked: HonestFigures,
  { sent, responses, cpu }: AttackOutcome,
): string[] {
  const user = isSignedIn ? "account" : "anonymous";
  const inClass = (digit: string) =>
    Object.entries(responses).reduce((sum, [status, count]) => (status.startsWith(digit) ? sum + count : sum), 0);
  const ratio = attacked.chatP50 / quiet.chatP50;
  const counts = [sent, ...["2", "3", "4", "5", "n"].map(inClass)].map(String);
  const times = [attacked.slowestLogIn, quiet.slowestLogIn, attacked.chatP50, quiet.chatP50].map(ms);
  printRow(name, user, ...counts, ...times, ratio.toFixed(2), cpu.toFixed(2), loadavg()[0]?.toFixed(1) ?? "");
  const violations = [
    attacked.slowestLogIn < LOGIN_MAX_MS
      ? ""
      : `a login took ${ms(attacked.slowestLogIn)} ms (${ms(quiet.slowestLogIn)} before)`,
    ratio < CHAT_MAX_RATIO ? "" : `delivery took ${ratio.toFixed(2)} times as long`,
    attacked.missing === 0 ? "" : `${attacked.missing} messages did not arrive`,
    inClass("5") === 0 ? "" : `${inClass("5")} responses were 5xx`,
  ];
  return violations.filter(Boolean).map((violation) => `${name}, ${user}: ${violation}`);
}

function printRow(name: string, user: string, ...cells: string[]): void {
  process.stdout.write(`${name.padEnd(38)}${user.padEnd(10)}${cells.map((cell) => cell.padStart(8)).join("")}\n`);
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}
