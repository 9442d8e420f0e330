import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { readOptions } from "@messageoh/cli/arguments";
import { runCommand } from "@messageoh/cli/command";
import { logProgress } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { type Stack, startStackFor } from "@messageoh/stack/stack";
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
const { values, reject } = readOptions("npm run flood", {
  seconds: [3, "N", "duration of each attack"],
  quiet: [1.5, "N", "seconds without attack before each, for comparison"],
  cpu: [0.5, "N", "share of one core that the attacker may use"],
  count: [200000, "N", "maximum of requests or events per attack"],
  connections: [500, "N", "connections of the attacker, for requests"],
  sockets: [20, "N", "sockets of the attacker, for events"],
  "chat-rate": [50, "N", "messages per second of other users"],
  tries: [3, "N", "attempts of an attack before a bound counts as violated"],
  only: ["", "TEXT", "only attacks whose name contains this text"],
});
if (values.cpu <= 0 || values.cpu > 1) reject("--cpu must be above 0 and at most 1");
const LOGIN_MAX_MS = 2_000;
const CHAT_MAX_RATIO = 2;

Object.assign(process.env, { LOG_LEVEL: process.env.LOG_LEVEL ?? "warn", ...INSPECTABLE });
await runCommand("flood", async (command) => run(await startStackFor(command)));

async function run(stack: Stack): Promise<number> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  const violations: string[] = [];
  const pids = () => JSON.stringify(stack.processes());
  const pidsBefore = pids();
  const honest = await Account.register(url, "Honest");
  const friend = await Account.register(url, "Friend");
  const chat = await startChat(url, 4);
  const watch = (seconds: number) => observe(honest, chat, seconds, values["chat-rate"]);
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
      for (let attempt = 0; attempt === 0 || (violated.length > 0 && attempt < values.tries); attempt += 1) {
        const address = `127.0.${1 + attempt}.${(addresses % 250) + 1}`;
        const attacker = !isSignedIn
          ? friend
          : (richest(target) ?? (await withRetries(() => Account.register(url, "Attacker"))));
        const plan = await planOf(target, attacker, isSignedIn, address, friend);
        const quiet = await watch(values.quiet);
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
    seconds: values.seconds,
    cpu: values.cpu,
    countMax: values.count,
    addresses: [address],
    connections: parts.events ? values.sockets : values.connections,
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
