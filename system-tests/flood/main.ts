import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { readArguments, refuse } from "@messageoh/cli/arguments";
import { repoRoot } from "@messageoh/cli/root";
import { explain, say } from "@messageoh/cli/say";
import { type Stack, startStack } from "@messageoh/stack/stack";
import { Account, insist } from "../client/account.ts";
import { INSPECTABLE } from "../fuzz/memory.ts";
import { valuesOf } from "../fuzz/sample.ts";
import { startChat } from "./chat.ts";
import { storeCrowd, TEXTS } from "./crowd.ts";
import { type Fare, observe } from "./honest.ts";
import { askLargestList } from "./largestList.ts";
import type { AttackOutcome, AttackPlan } from "./plan.ts";
import { podMemory } from "./podMemory.ts";
import { floodSlowReaders } from "./slowReaders.ts";
import { TARGETS, type Target } from "./targets.ts";

// npm run flood: sends every call and event as fast as it can, and looks how everybody else fares meanwhile.
const HELP = `npm run flood -- [options]
  --seconds N      how long each attack lasts (3)
  --quiet N        seconds of quiet before each, to compare with (1.5)
  --cpu N          share of one core that the attacker may use (0.5)
  --count N        requests or events of one attack at most (200000)
  --connections N  connections that the attacker opens (500)
  --chat-rate N    messages per second meanwhile (50)
  --tries N        times that an attack is tried before a bound counts as broken (3)
  --only TEXT      attacks with this text in their name only`;

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
if (Number(values.cpu) <= 0 || Number(values.cpu) > 1) refuse(HELP, "--cpu must be above 0 and at most 1");
const LOG_IN_MAX_MS = 2_000;
const CHAT_MAX_RATIO = 2;
const SOCKETS = 20;

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-flood-"));
Object.assign(process.env, { LOG_LEVEL: process.env.LOG_LEVEL ?? "warn", ...INSPECTABLE });
let code = 1;
try {
  // With the limits that everybody meets.
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
  process.stderr.write(`${explain(error)}\n`);
}
process.exit(code);

async function run(stack: Stack): Promise<number> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  const faults: string[] = [];
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
  say("storing 1,000 friends and 100,000 messages ...");
  await storeCrowd(stack.mongoUrl, [
    { account: crowded, text: TEXTS.long },
    { account: talkative, text: TEXTS.short },
  ]);
  faults.push(...(await askLargestList(stack, crowded, "of 4,000 characters each")));
  faults.push(...(await askLargestList(stack, talkative, "of one character each")));
  faults.push(...(await floodSlowReaders(stack)));

  /** The attacker for whom a call has most to do. */
  const rich = ({ name }: Target) =>
    name === "GET /messages/:user_id" ? crowded : /GET .(threads|friends)/.test(name) ? talkative : undefined;
  printRow(
    "",
    "",
    "sent",
    "2xx",
    "3xx",
    "4xx",
    "5xx",
    "none",
    "log-in",
    "quiet",
    "chat",
    "quiet",
    "ratio",
    "cpu",
    "load",
  );
  let addresses = 0;
  for (const target of TARGETS) {
    for (const isSignedIn of target.isForNobody ? [true, false] : [true]) {
      if (!`${target.name} ${isSignedIn ? "account" : "nobody"}`.includes(values.only)) continue;
      let broken: string[] = [];
      for (let tries = 0; tries === 0 || (broken.length > 0 && tries < Number(values.tries)); tries += 1) {
        const address = `127.0.${1 + tries}.${(addresses % 250) + 1}`;
        const attacker = !isSignedIn
          ? friend
          : (rich(target) ?? (await insist(() => Account.register(url, "Attacker"))));
        const plan = await planOf(target, attacker, isSignedIn, address, friend);
        const quiet = await watch(Number(values.quiet));
        const attack = startAttack(plan);
        const fare = await watch(plan.seconds);
        broken = report(target.name, isSignedIn, quiet, fare, await attack);
      }
      addresses += 1;
      faults.push(...broken);
    }
  }
  chat.close();

  for (const { name, peakBytes, limitBytes } of podMemory(repoRoot(), stack)) {
    const [peak, limit] = [peakBytes, limitBytes].map((bytes) => (bytes ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : "-"));
    process.stdout.write(`${name.padEnd(20)}${peak?.padStart(10)} of ${limit}\n`);
    if (limitBytes !== undefined && !(peakBytes < limitBytes)) faults.push(`${name} took ${peak}`);
  }
  if (pids() !== pidsBefore) faults.push("a process was restarted");
  process.stdout.write(faults.length === 0 ? "It holds.\n" : `IT DOES NOT HOLD:\n${faults.join("\n")}\n`);
  return faults.length === 0 ? 0 : 1;
}

async function planOf(
  target: Target,
  attacker: Account,
  isSignedIn: boolean,
  address: string,
  friend: Account,
): Promise<AttackPlan> {
  // The attack before this one may not be over yet.
  const thread_id = isSignedIn ? await insist(() => attacker.befriend(friend)) : "no-thread";
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

/** Prints a row. Answers what must not have happened. */
function report(
  name: string,
  isSignedIn: boolean,
  quiet: Fare,
  fare: Fare,
  { sent, answers, cpu }: AttackOutcome,
): string[] {
  const who = isSignedIn ? "account" : "nobody";
  const inClass = (digit: string) =>
    Object.entries(answers).reduce((sum, [status, count]) => (status.startsWith(digit) ? sum + count : sum), 0);
  const ratio = fare.chatP50 / quiet.chatP50;
  const counts = [sent, ...["2", "3", "4", "5", "n"].map(inClass)].map(String);
  const times = [fare.slowestLogIn, quiet.slowestLogIn, fare.chatP50, quiet.chatP50].map(ms);
  printRow(name, who, ...counts, ...times, ratio.toFixed(2), cpu.toFixed(2), loadavg()[0]?.toFixed(1) ?? "");
  const faults = [
    fare.slowestLogIn < LOG_IN_MAX_MS
      ? ""
      : `a log-in took ${ms(fare.slowestLogIn)} ms (${ms(quiet.slowestLogIn)} before)`,
    ratio < CHAT_MAX_RATIO ? "" : `chat took ${ratio.toFixed(2)} times as long`,
    fare.missing === 0 ? "" : `${fare.missing} messages did not arrive`,
    inClass("5") === 0 ? "" : `${inClass("5")} answers were 5xx`,
  ];
  return faults.filter(Boolean).map((fault) => `${name}, ${who}: ${fault}`);
}

function printRow(name: string, who: string, ...cells: string[]): void {
  process.stdout.write(`${name.padEnd(38)}${who.padEnd(8)}${cells.map((cell) => cell.padStart(8)).join("")}\n`);
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}
