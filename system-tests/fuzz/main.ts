import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "@messageoh/cli/arguments";
import { formatError, logProgress } from "@messageoh/cli/progress";
import { type Stack, startStack } from "@messageoh/stack/stack";
import { pause } from "../client/account.ts";
import { Findings } from "./findings.ts";
import { sendIds } from "./ids.ts";
import { INSPECTABLE, type Memory, readMemory } from "./memory.ts";
import { sendHttp } from "./sendHttp.ts";
import { sendEvents, sendFrames } from "./sendSockets.ts";
import { stall } from "./stalled.ts";
import { checkStored } from "./stored.ts";

// npm run fuzz sends malformed requests, events and frames and checks responses, processes, memory and stored data.
const HELP = `npm run fuzz -- [options]
  --requests N   malformed HTTP requests in total (24000)
  --events N     malformed socket events in total, counted when the server acks them (24000)
  --frames N     raw engine.io frames in total (6000)
  --stalled N    stalled connections of each kind (150)
  --waves N      number of waves; memory must not grow after the second (3)
  --seed N       repeats a run (1)`;

const { values } = readArguments(HELP, {
  options: {
    requests: { type: "string", default: "24000" },
    events: { type: "string", default: "24000" },
    frames: { type: "string", default: "6000" },
    stalled: { type: "string", default: "150" },
    waves: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
  },
});
const waves = Number(values.waves);
const share = (all: string) => Math.ceil(Number(all) / waves);
/** Tolerance for caches and compiled code. */
const GROWTH_MAX_MB = 12;
const PAUSE_AFTER_WAVE_MS = 4_000;

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-fuzz-"));
Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "error", ...INSPECTABLE });
let code = 1;
try {
  const stack = await startStack({ dataDir, raisesLimits: true });
  const end = () => void stack.stop().then(() => process.exit(1));
  process.on("SIGINT", end).on("SIGTERM", end);
  const findings = new Findings();
  try {
    await run(stack, findings);
  } finally {
    await stack.stop();
  }
  findings.print();
  code = findings.faults.size === 0 ? 0 : 1;
  process.stdout.write(code === 0 ? "No faults.\n" : `FAULTS WERE FOUND. The logs are in ${dataDir}\n`);
  if (code === 0) await rm(dataDir, { recursive: true, force: true });
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
}
process.exit(code);

async function run(stack: Stack, findings: Findings): Promise<void> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  const pids = () => readFile(join(dataDir, "processes.json"), "utf8");
  const pidsBefore = await pids();
  logProgress("malformed ids in every field ...");
  await sendIds(stack, findings);
  const memory: Memory[][] = [await readMemory(stack)];
  for (let wave = 1; wave <= waves; wave += 1) {
    const seed = Number(values.seed) + wave * 100_000;
    logProgress(`wave ${wave} of ${waves}: HTTP${wave === 1 ? ", while connections stall" : ""} ...`);
    const stalling = wave === 1 ? stall(url, Number(values.stalled), findings) : undefined;
    await sendHttp(url, share(values.requests), seed, findings);
    await stalling;
    logProgress(`wave ${wave} of ${waves}: sockets ...`);
    await sendEvents(url, share(values.events), seed, findings);
    await sendFrames(url, share(values.frames), seed, findings);
    await pause(PAUSE_AFTER_WAVE_MS);
    memory.push(await readMemory(stack));
  }
  logProgress("checking the stored data ...");
  await checkStored(stack.mongoUrl, findings);

  if ((await pids()) !== pidsBefore) findings.fault("a process was restarted");
  else findings.counts.set("processes, none of them restarted", stack.processes().length);
  judgeMemory(memory, findings);
}

/** Prints the memory of each process after every wave; the last wave must not increase it. */
function judgeMemory(memory: Memory[][], findings: Findings): void {
  const titles = memory.map((_, wave) => (wave === 0 ? "before" : `wave ${wave}`).padStart(16));
  process.stdout.write(`\n${"MB in use (and resident)".padEnd(32)}${titles.join("")}\n`);
  for (const { name } of memory[0] ?? []) {
    const seen = memory.map((wave) => wave.find((other) => other.name === name) as Memory);
    const cells = seen.map(({ usedMb, residentMb }) => `${usedMb.toFixed(1)} (${residentMb.toFixed(0)})`.padStart(16));
    process.stdout.write(`${name.padEnd(32)}${cells.join("")}\n`);
    const [before, last] = seen.slice(-2) as [Memory, Memory];
    const growth = last.usedMb - before.usedMb;
    if (seen.length > 2 && growth > GROWTH_MAX_MB)
      findings.fault("memory grew in the last wave", `${name} by ${growth.toFixed(1)} MB`);
  }
  process.stdout.write("\n");
}
