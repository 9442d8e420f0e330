import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatError, logProgress } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { startStack } from "@messageoh/stack/stack";
import { runBreakages } from "./breakages/run.ts";
import { report, writeJson } from "./checker/report.ts";
import { Disks, mayMount, runWithMounts } from "./disks/disks.ts";
import { FULL_DISK } from "./faults/disks.ts";
import { Links } from "./links/links.ts";
import { type Options, readOptions } from "./options.ts";
import { runChaos } from "./run.ts";
import { checkOut } from "./upgrade/checkOut.ts";
import { upgradeSteps } from "./upgrade/steps.ts";

// npm run chaos checks that users of the product's own client notice nothing but a delay while processes fail.
const options = readOptions();
if (options.breakages || options.breakage !== "") process.exit(await runBreakages(options.breakage));

const MONGO_MEMBERS = ["mongo", "mongo-2", "mongo-3"];
const fillsDisks =
  !options.small && !options.from && (options.only.length === 0 || options.only.some((text) => text.includes("disk")));
if (fillsDisks && !mayMount()) {
  const code = await runWithMounts();
  if (code !== undefined) process.exit(code);
  logProgress(`This machine does not allow to mount a file system, so "${FULL_DISK}" is left out.`);
}

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-chaos-"));
// Fast hashing, and no log line per message.
Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "warn" });
// The product warns about each failed call, which the checker expects.
console.warn = () => undefined;
const disks = new Disks();
let isKept = false;
try {
  isKept = await run(options);
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
}
if (!isKept) await keepLogs();
await removeData();
process.exit(isKept ? 0 : 1);

async function run({ small, from, seed, json, ...values }: Options): Promise<boolean> {
  const links = new Links();
  if (fillsDisks && mayMount()) await disks.mount(dataDir, MONGO_MEMBERS);
  const before = from === undefined ? undefined : await checkOut(repoRoot(), from);
  const stack = await startStack({
    dataDir,
    openLink: links.open,
    usersInstances: small ? 1 : 2,
    realtimeInstances: small ? 1 : 3,
    messagesInstances: small ? 1 : Number(values.messages),
    mongoMembers: small ? 1 : 3,
    redisReplica: !small,
    root: before,
    // The clients come from many addresses, as behind a proxy, so the limits are those of production.
    trustedProxies: "127.0.0.1,::1",
    withoutFrontends: true,
  });
  const end = async () => {
    await stack.stop();
    await removeData();
    process.exit(1);
  };
  process.on("SIGINT", () => void end()).on("SIGTERM", () => void end());
  const startedAt = Date.now();
  try {
    const result = await runChaos(stack, links, disks, {
      minutes: Number(values.minutes),
      users: Number(values.users),
      reach: Number(values.reach),
      rate: Number(values.rate),
      crowd: Number(values.crowd),
      crowdRate: Number(values["crowd-rate"]),
      actions: Number(values.actions),
      faultEvery: Number(values["fault-every"]),
      alone: values.alone,
      seed: Number(seed),
      patienceMs: 1_000 * Number(values.patience),
      only: values.only,
      steps: before === undefined ? undefined : upgradeSteps(stack, before, repoRoot()),
    });
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    if (json !== undefined) writeJson(json, result, seed, seconds);
    return report(result, seed, seconds);
  } finally {
    await stack.stop();
  }
}

async function removeData(): Promise<void> {
  await disks.unmount().catch(() => undefined);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 }).catch((error) => logProgress(formatError(error)));
}

/** Moves the logs out of the data folder, which takes gigabytes. */
async function keepLogs(): Promise<void> {
  const logs = `${dataDir}-logs`;
  const isMoved = await rename(join(dataDir, "logs"), logs).then(
    () => true,
    () => false,
  );
  if (isMoved) logProgress(`the logs are in ${logs}`);
}
