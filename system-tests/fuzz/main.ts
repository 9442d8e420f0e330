import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readOptions } from "@messageoh/stack/command/arguments";
import { keepLogs, runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { printTable } from "@messageoh/stack/command/table";
import { type Stack, startStackFor } from "@messageoh/stack/stack";
import { pause } from "../client/account.ts";
import { abortCalls } from "./aborted.ts";
import { Findings } from "./findings.ts";
import { sendIds } from "./ids.ts";
import { searchLinks } from "./links.ts";
import { INSPECTABLE, type Memory, readMemory } from "./memory.ts";
import { sendHttp } from "./sendHttp.ts";
import { sendEvents, sendFrames } from "./sendSockets.ts";
import { stall } from "./stalled.ts";
import { checkStored } from "./stored.ts";

// npm run fuzz sends malformed requests, events and frames and checks responses, processes, memory and stored data.
const { values } = readOptions("npm run fuzz", {
  requests: [24000, "N", "malformed HTTP requests in total"],
  events: [24000, "N", "malformed socket events in total, counted when the server acks them"],
  frames: [6000, "N", "raw engine.io frames in total"],
  texts: [3000, "N", "texts to search for links"],
  stalled: [150, "N", "stalled connections of each kind"],
  waves: [3, "N", "number of waves; memory must not grow after the second"],
  seed: [1, "N", "repeats a run"],
});
const { waves } = values;
const share = (all: number) => Math.ceil(all / waves);
/** Tolerance for caches and compiled code. */
const GROWTH_MAX_MB = 12;
const PAUSE_AFTER_WAVE_MS = 4_000;

Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "error", ...INSPECTABLE });
await runCommand("fuzz", async (command) => {
  const findings = new Findings();
  await run(await startStackFor(command, { raisesLimits: true }), findings);
  findings.print();
  if (findings.faults.size === 0) {
    process.stdout.write("No faults.\n");
    return 0;
  }
  process.stdout.write("FAULTS WERE FOUND.\n");
  await keepLogs(command);
  return 1;
});

async function run(stack: Stack, findings: Findings): Promise<void> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  const pids = () => readFile(join(stack.dataDir, "processes.json"), "utf8");
  const pidsBefore = await pids();
  logProgress("malformed ids in every field ...");
  await sendIds(stack, findings);
  logProgress("aborted calls, and links in texts ...");
  await abortCalls(url, findings);
  searchLinks(values.texts, values.seed, findings);
  const memory: Memory[][] = [await readMemory(stack)];
  for (let wave = 1; wave <= waves; wave += 1) {
    const seed = values.seed + wave * 100_000;
    logProgress(`wave ${wave} of ${waves}: HTTP${wave === 1 ? ", while connections stall" : ""} ...`);
    const stalling = wave === 1 ? stall(url, values.stalled, findings) : undefined;
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
  const titles = memory.map((_, wave) => (wave === 0 ? "before" : `wave ${wave}`));
  const rows = (memory[0] ?? []).map(({ name }) => {
    const seen = memory.map((wave) => wave.find((other) => other.name === name) as Memory);
    const [before, last] = seen.slice(-2) as [Memory, Memory];
    const growth = last.usedMb - before.usedMb;
    if (seen.length > 2 && growth > GROWTH_MAX_MB)
      findings.fault("memory grew in the last wave", `${name} by ${growth.toFixed(1)} MB`);
    return [name, ...seen.map(({ usedMb, residentMb }) => `${usedMb.toFixed(1)} (${residentMb.toFixed(0)})`)];
  });
  process.stdout.write("\n");
  printTable(["MB in use (and resident)", ...titles], rows);
  if (memory.length <= 2) process.stdout.write("One wave says nothing about the growth of memory.\n\n");
}
