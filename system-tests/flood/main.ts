import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { readOptions } from "@messageoh/stack/command/arguments";
import { runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { type Stack, startStackFor } from "@messageoh/stack/stack";
import { Account, withRetries } from "../client/account.ts";
import { INSPECTABLE, type Memory, readMemory } from "../fuzz/memory.ts";
import { valuesOf } from "../fuzz/sample.ts";
import { startChat } from "./chat.ts";
import { storeCrowd, storeMonologues, storeUsers, TEXTS } from "./crowd.ts";
import { type HonestFigures, observe } from "./honest.ts";
import { checkLargestList, MAX_BYTES } from "./largestList.ts";
import { makePicture } from "./picture.ts";
import type { AttackOutcome, AttackPlan } from "./plan.ts";
import { podMemory } from "./podMemory.ts";
import { floodSlowReaders } from "./slowReaders.ts";
import { type Attackers, TARGETS, type Target } from "./targets.ts";

// npm run flood sends each call and event as fast as possible and measures the response times of other users.
const { values, reject } = readOptions("npm run flood", {
  seconds: [6, "N", "duration of each attack, and of each measurement without attack"],
  cpu: [0.5, "N", "share of one core that the attacker may use"],
  count: [200000, "N", "maximum of requests or frames per attack"],
  connections: [500, "N", "connections of the attacker, for requests"],
  sockets: [20, "N", "sockets of the attacker, for frames"],
  "chat-rate": [200, "N", "messages per second of other users"],
  tries: [3, "N", "attempts of an attack before a bound counts as violated"],
  only: ["", "TEXT", "only attacks whose name contains this text"],
  "redis-nodes": [1, "N", "nodes of Redis; several are a cluster"],
});
if (values.cpu <= 0 || values.cpu > 1) reject("--cpu must be above 0 and at most 1");
if (values.seconds * values["chat-rate"] < 1_000) reject("--seconds and --chat-rate must make at least 1,000 messages");
const targets = TARGETS.flatMap((target) =>
  (target.allowsAnonymous ? [true, false] : [true]).map((isSignedIn) => ({ ...target, isSignedIn })),
).filter(({ name, isSignedIn }) => `${name} ${isSignedIn ? "account" : "anonymous"}`.includes(values.only));
if (targets.length === 0) reject("--only must be part of the name of an attack");
/** Pairs of friends who chat: so many that nobody reaches the daily limit of messages. */
const CHAT_PAIRS = 60;
const LOGIN_MAX_MS = 2_000;
const CHAT_MAX_RATIO = 2;
const GROWTH_MAX_MB = 60;
/** Largest memory of a part that must stay far below the limit of its pod, in bytes. */
const PEAKS_MAX: Record<string, number> = { "svc-media": 300e6 };
const WARM_UP_SECONDS = 2;
/** Time after which the figures without attack are measured again. */
const QUIET_MS = 60_000;

Object.assign(process.env, { LOG_LEVEL: process.env.LOG_LEVEL ?? "warn", ...INSPECTABLE });
await runCommand("flood", async (command) =>
  run(await startStackFor(command, { redis: { nodes: values["redis-nodes"], replicas: 0 } })),
);

async function run(stack: Stack): Promise<number> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  const violations: string[] = [];
  const pids = () => JSON.stringify(stack.processes());
  const pidsBefore = pids();
  const honest = await Account.register(url, "Honest");
  const friend = await Account.register(url, "Friend");
  const chat = await startChat(url, CHAT_PAIRS);
  const watch = () => observe(honest, chat, values.seconds, values["chat-rate"]);
  // A full collection, which measures memory, drops compiled code. That makes the first messages slow.
  const warmUp = () => chat.measure(WARM_UP_SECONDS, values["chat-rate"]);
  await watch();

  const register = (count: number) => Promise.all(Array.from({ length: count }, () => Account.register(url, "Rich")));
  const [crowded, talkative] = (await register(2)) as [Account, Account];
  logProgress("storing 1,000 friends and 100,000 messages ...");
  await storeCrowd(stack.mongoUrl, [
    { account: crowded, text: TEXTS.long },
    { account: talkative, text: TEXTS.short },
  ]);
  const rich: Record<Attackers, Account[]> = {
    "long texts": [crowded],
    "most friends": [talkative],
    monologues: await register(8),
    searchers: await register(4),
    uploaders: await register(20),
  };
  const isUsed = (kind: Attackers) => targets.some(({ attackers }) => attackers === kind);
  logProgress("storing 100,000 users and 64 monologues ...");
  if (isUsed("searchers")) await storeUsers(stack.mongoUrl);
  if (isUsed("monologues")) await storeMonologues(stack.mongoUrl, rich.monologues);
  // Made before any attack, because that keeps both cores busy for a second.
  const picturePath = join(stack.dataDir, "flood.jpg");
  if (isUsed("uploaders")) await writeFile(picturePath, await makePicture());
  if (values.only === "") {
    violations.push(...(await checkLargestList(stack, crowded, "of 4,000 characters each", 0.8 * MAX_BYTES)));
    violations.push(...(await checkLargestList(stack, talkative, "of one character each", 0)));
    violations.push(...(await floodSlowReaders(stack)));
  }

  printRow("", "", ..."sent 2xx 3xx 4xx 5xx none login quiet p50 quiet p99 quiet ratio MB cpu load".split(" "));
  let quiet = { figures: await watch(), at: performance.now() };
  for (const [index, target] of targets.entries()) {
    let violated: string[] = [];
    for (let attempt = 0; attempt === 0 || (violated.length > 0 && attempt < values.tries); attempt += 1) {
      const address = `127.0.${1 + attempt}.${(index % 250) + 1}`;
      const attackers =
        (target.attackers && rich[target.attackers]) ||
        (target.isSignedIn ? [await withRetries(() => Account.register(url, "Attacker"))] : [friend]);
      const plan = await planOf(target, attackers, { address, friend, picturePath });
      if (attempt > 0 || performance.now() - quiet.at > QUIET_MS) {
        await warmUp();
        quiet = { figures: await watch(), at: performance.now() };
      }
      const before = await readMemory(stack);
      // The attacker's process starts during the warm-up, because that takes most of a core for half a second.
      const startAttack = prepareAttack();
      await warmUp();
      const attack = startAttack(plan);
      const attacked = await watch();
      const outcome = await attack;
      violated = report(target, quiet.figures, attacked, outcome, growthOf(before, await readMemory(stack)));
    }
    violations.push(...violated);
  }
  chat.close();

  for (const { name, peakBytes, limitBytes } of podMemory(repoRoot(), stack)) {
    const [peak, limit] = [peakBytes, limitBytes].map((bytes) => (bytes ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : "-"));
    process.stdout.write(`${name.padEnd(20)}${peak?.padStart(10)} of ${limit}\n`);
    const bound = Math.min(limitBytes ?? Number.POSITIVE_INFINITY, PEAKS_MAX[name] ?? Number.POSITIVE_INFINITY);
    if (bound < Number.POSITIVE_INFINITY && !(peakBytes < bound)) violations.push(`${name} used ${peak}`);
  }
  if (pids() !== pidsBefore) violations.push("a process was restarted");
  process.stdout.write(
    violations.length === 0 ? "All bounds hold.\n" : `BOUNDS ARE VIOLATED:\n${violations.join("\n")}\n`,
  );
  return violations.length === 0 ? 0 : 1;
}

type Row = Target & { isSignedIn: boolean };

async function planOf(
  target: Row,
  attackers: Account[],
  { address, friend, picturePath }: { address: string; friend: Account; picturePath: string },
): Promise<AttackPlan> {
  const senders = await Promise.all(
    attackers.map(async (attacker) => {
      // The server may still process the previous attack.
      const thread_id = target.isSignedIn ? await withRetries(() => attacker.befriend(friend)) : "no-thread";
      const load = await target.plan(valuesOf(attacker, friend, thread_id));
      return { ...load, cookie: target.isSignedIn ? attacker.cookie : "" };
    }),
  );
  return {
    senders,
    port: Number(new URL(friend.url).port),
    seconds: values.seconds,
    cpu: values.cpu,
    countMax: values.count,
    picturePath,
    addresses: [address],
    connections: senders.some(({ frames }) => frames) ? values.sockets : values.connections,
  };
}

/** Returns the process that grew most, with its growth in MB. */
function growthOf(before: readonly Memory[], after: readonly Memory[]): { name: string; mb: number } {
  const growths = after.map(({ name, usedMb }) => ({
    name,
    mb: usedMb - (before.find((other) => other.name === name)?.usedMb ?? 0),
  }));
  return growths.toSorted((a, b) => b.mb - a.mb)[0] as { name: string; mb: number };
}

/** Starts a process and returns a function that lets it attack. */
function prepareAttack(): (plan: AttackPlan) => Promise<AttackOutcome> {
  const attacker = spawn(process.execPath, [join(import.meta.dirname, "attack.ts")], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["pipe", "pipe", "inherit"],
    // A session of its own, for its priority.
    detached: true,
  });
  const end = () => attacker.kill();
  process.once("exit", end);
  attacker.once("exit", () => process.off("exit", end));
  return async (plan) => {
    attacker.stdin.end(JSON.stringify(plan));
    return (await json(attacker.stdout)) as AttackOutcome;
  };
}

/** Prints a row and returns the violated bounds. */
function report(
  {
    name,
    isSignedIn,
    getsNoResponse = false,
    logInRatioMax = Number.POSITIVE_INFINITY,
    chatMedianRatioMax = Number.POSITIVE_INFINITY,
  }: Row,
  quiet: HonestFigures,
  attacked: HonestFigures,
  { sent, responses, cpu }: AttackOutcome,
  growth: { name: string; mb: number },
): string[] {
  const user = isSignedIn ? "account" : "anonymous";
  const inClass = (digit: string) =>
    Object.entries(responses).reduce((sum, [status, count]) => (status.startsWith(digit) ? sum + count : sum), 0);
  const ratio = attacked.chatP99 / quiet.chatP99;
  const counts = [sent, ...["2", "3", "4", "5", "n"].map(inClass)].map(String);
  const times = [attacked.logIn, quiet.logIn, attacked.chatP50, quiet.chatP50, attacked.chatP99, quiet.chatP99].map(ms);
  const load = loadavg()[0]?.toFixed(1) ?? "";
  printRow(name, user, ...counts, ...times, ratio.toFixed(2), growth.mb.toFixed(0), cpu.toFixed(2), load);
  const violations = [
    // An attack that does not reach the product proves nothing.
    sent > 0 ? "" : "nothing was sent",
    getsNoResponse || ["2", "3", "4", "5"].some(inClass) ? "" : "no response came",
    attacked.logIn < Math.min(LOGIN_MAX_MS, logInRatioMax * quiet.logIn)
      ? ""
      : `the median sign-in took ${ms(attacked.logIn)} ms (${ms(quiet.logIn)} before)`,
    ratio <= CHAT_MAX_RATIO ? "" : `the p99 of deliveries was ${ratio.toFixed(2)} times as long`,
    attacked.chatP50 <= chatMedianRatioMax * quiet.chatP50
      ? ""
      : `the median of deliveries was ${(attacked.chatP50 / quiet.chatP50).toFixed(2)} times as long`,
    growth.mb <= GROWTH_MAX_MB ? "" : `${growth.name} grew by ${growth.mb.toFixed(0)} MB`,
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
