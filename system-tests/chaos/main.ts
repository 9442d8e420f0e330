import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, keepLogs, runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { MONGO_MEMBERS } from "@messageoh/stack/dependencies/mongo";
import { startStackFor } from "@messageoh/stack/stack";
import { runBreakages } from "./breakages/run.ts";
import { SAVE_DRAFT } from "./checker/everything.ts";
import { report, writeJson } from "./checker/report.ts";
import { Disks, mayMount, runWithMounts } from "./disks/disks.ts";
import { FULL_DISK } from "./faults/disks.ts";
import { Links } from "./links/links.ts";
import { type Options, readChaosOptions } from "./options.ts";
import { runChaos } from "./run.ts";
import { checkOut } from "./upgrade/checkOut.ts";
import { upgradeSteps } from "./upgrade/steps.ts";

// npm run chaos checks that users of the product's own client notice nothing but a delay while processes fail.
const options = readChaosOptions();
if (options.breakages) await runCommand("breakages", (command) => runBreakages(command, options.only));

const fillsDisks =
  !options.small && !options.from && (options.only.length === 0 || options.only.some((text) => text.includes("disk")));
if (fillsDisks && !mayMount()) {
  const code = await runWithMounts();
  if (code !== undefined) process.exit(code);
  logProgress(`This machine does not allow to mount a file system, so "${FULL_DISK}" is left out.`);
}

// Fast hashing, and no log line per message.
Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: process.env.LOG_LEVEL ?? "warn" });
// The product warns about each failed call, which the checker expects.
console.warn = () => undefined;
await runCommand("chaos", async (command) => {
  let isKept = false;
  try {
    isKept = await run(command, options);
  } finally {
    if (!isKept && !command.signal.aborted) await keepLogs(command);
  }
  return isKept ? 0 : 1;
});

async function run(command: Command, values: Options): Promise<boolean> {
  const { small, from, json } = values;
  const links = new Links();
  const disks = new Disks();
  if (fillsDisks && mayMount()) {
    command.atEnd(() => disks.unmount());
    await disks.mount(command.dir, MONGO_MEMBERS);
  }
  const before = from === undefined ? undefined : await checkOut(repoRoot(), from);
  const stack = await startStackFor(command, {
    links,
    usersInstances: small ? 1 : 2,
    realtimeInstances: small ? 1 : 3,
    messagesInstances: small ? 1 : 2,
    mediaInstances: small ? 1 : 2,
    gatewayInstances: small ? 1 : 2,
    mongoMembers: small ? 1 : 3,
    redis: { nodes: values["redis-nodes"], replicas: small ? 0 : 1 },
    root: before,
    // The clients come from many addresses, as behind a proxy, so the limits are those of production.
    trustedProxies: "127.0.0.1,::1",
    withoutFrontends: true,
  });
  const steps = before === undefined ? undefined : upgradeSteps(stack, before, repoRoot());
  // The run begins and ends with the earlier version, which may lack svc-media and drafts. If it lacks changes of
  // messages, nobody makes any, because mfe-chat is deployed last and rolled back first.
  const hasBefore = (path: string) => before === undefined || existsSync(join(before, path));
  const without = [
    ...values.without,
    ...(hasBefore("svc-media") ? [] : ["send a file"]),
    ...(hasBefore("mfe-chat/src/actions/drafts.ts") ? [] : [SAVE_DRAFT]),
    ...(hasBefore("packages/contracts/src/http/changes.ts") ? [] : ["a message"]),
  ];
  const result = await runChaos(stack, links, disks, { ...values, without, steps });
  if (json !== undefined) writeJson(json, result);
  return report(result);
}
