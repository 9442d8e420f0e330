import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { logIn } from "@messageoh/contracts/users";
import { readArguments, refuse } from "../arguments.ts";
import { Account, pause } from "../chaos/account.ts";
import { explain, say } from "../say.ts";
import { startStack } from "../stack/stack.ts";
import type { AttackOutcome, AttackPlan } from "./attack.ts";
import { startChat } from "./chat.ts";

// npm run flood: guesses passwords at a rate that no machine could hash, and looks how everybody else fares meanwhile.
const HELP = `npm run flood -- [options]
  --seconds N      how long the flood lasts, and the quiet time before it (30)
  --rate N         wrong logins per second (500)
  --addresses N    addresses that they come from: 127.0.0.2 and up (50)
  --chat-rate N    messages per second meanwhile (50)`;

const { values } = readArguments(HELP, {
  options: {
    seconds: { type: "string", default: "30" },
    rate: { type: "string", default: "500" },
    addresses: { type: "string", default: "50" },
    "chat-rate": { type: "string", default: "50" },
  },
});
const [seconds, rate, addresses] = [Number(values.seconds), Number(values.rate), Number(values.addresses)];
if (!(addresses >= 1 && addresses <= 250)) refuse(HELP, "--addresses must be from 1 to 250");
const LOG_IN_EVERY_MS = 1_000;
const LOG_IN_MAX_MS = 2_000;

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-flood-"));
process.env.LOG_LEVEL ??= "warn";
let code = 1;
try {
  // With the limits that everybody meets.
  const stack = await startStack({ dataDir });
  const end = () => void stack.stop().then(() => process.exit(1));
  process.on("SIGINT", end).on("SIGTERM", end);
  try {
    code = await run(stack.url.replace("localhost", "127.0.0.1"));
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
}
process.exit(code);

async function run(url: string): Promise<number> {
  const chat = await startChat(url, 10);
  const honest = await Account.register(url, "Honest");
  const victims = [await Account.register(url, "Victim"), await Account.register(url, "Victim")];
  const chatRate = Number(values["chat-rate"]);
  await chat.measure(5, chatRate);

  const load = () => loadavg()[0]?.toFixed(1);
  say(`quiet: ${seconds} seconds, load ${load()} on ${availableParallelism()} cores`);
  const quietLogIns = logInNowAndThen(honest);
  const quiet = await chat.measure(seconds, chatRate);
  const quietTimes = await quietLogIns.end();

  say(`flood: ${rate} wrong logins per second from ${addresses} addresses, load ${load()}`);
  const names = victims.map(({ name }) => name);
  const attack = startAttack({ port: Number(new URL(url).port), seconds, perSecond: rate, addresses, names });
  await pause(2_000);
  const logIns = logInNowAndThen(honest);
  const flooded = await chat.measure(seconds - 4, chatRate);
  const times = await logIns.end();
  const outcome = await attack;
  say(`over, load ${load()}`);
  chat.close();

  const rows: [string, string, string][] = [
    ["", "quiet", "flood"],
    ["honest log-in, slowest, ms", ms(quietTimes.at(-1)), ms(times.at(-1))],
    ["honest log-in, median, ms", ms(at(quietTimes, 0.5)), ms(at(times, 0.5))],
    ["honest log-ins", String(quietTimes.length), String(times.length)],
    ["chat, p50, ms", ms(at(quiet.waits, 0.5)), ms(at(flooded.waits, 0.5))],
    ["chat, p95, ms", ms(at(quiet.waits, 0.95)), ms(at(flooded.waits, 0.95))],
    ["messages that arrived", String(quiet.waits.length), String(flooded.waits.length)],
    ["messages that did not", String(quiet.missing), String(flooded.missing)],
  ];
  for (const [name, before, during] of rows) {
    process.stdout.write(`${name.padEnd(32)}${before.padStart(10)}${during.padStart(10)}\n`);
  }
  const guesses = Object.entries(outcome).map(([status, count]) => `${count} × ${status}`);
  process.stdout.write(`wrong logins: ${guesses.join(", ")}\n`);

  const ratio = (share: number) => at(flooded.waits, share) / at(quiet.waits, share);
  const slowest = times.at(-1) ?? Number.POSITIVE_INFINITY;
  const holds = slowest < LOG_IN_MAX_MS && ratio(0.5) < 2 && quiet.missing + flooded.missing === 0;
  process.stdout.write(
    `${holds ? "It holds" : "IT DOES NOT HOLD"}: slowest log-in ${ms(slowest)} ms (under ${LOG_IN_MAX_MS}), ` +
      `chat at ${ratio(0.5).toFixed(2)} times its quiet median (under 2), ${ratio(0.95).toFixed(2)} times at p95\n`,
  );
  return holds ? 0 : 1;
}

/** Logs in again and again, from an address that attacks nobody. Answers the times in milliseconds, shortest first; a refusal took for ever. */
function logInNowAndThen(account: Account) {
  const times: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const body = { name: account.name, password: account.password };
      const isIn = await account.call(logIn, { body }).then(
        () => true,
        () => false,
      );
      times.push(isIn ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
      await pause(LOG_IN_EVERY_MS);
    }
  })();
  return {
    async end(): Promise<number[]> {
      isOver = true;
      await running;
      return times.toSorted((a, b) => a - b);
    },
  };
}

async function startAttack(plan: AttackPlan): Promise<AttackOutcome> {
  const attacker = spawn(process.execPath, [join(import.meta.dirname, "attack.ts"), JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.on("exit", () => attacker.kill());
  return JSON.parse(await text(attacker.stdout)) as AttackOutcome;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ms(value: number | undefined): string {
  return value === undefined ? "-" : value.toFixed(value < 10 ? 1 : 0);
}
