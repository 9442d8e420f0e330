import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "@messageoh/cli/arguments";
import { formatError, logProgress } from "@messageoh/cli/progress";
import { startStack } from "@messageoh/stack/stack";
import { runBreakages } from "./breakages/run.ts";
import { report, writeJson } from "./checker/report.ts";
import { Links } from "./links/links.ts";
import { runChaos } from "./run.ts";

// npm run chaos checks that users of the product's own client notice nothing but a delay while processes fail.
const HELP = `npm run chaos -- [options]
  --minutes N      duration of the fault injection (2)
  --users N        users at the start, three clients each (50)
  --reach N        each user has twice as many friends at the start (2)
  --rate N         messages per second in total (80)
  --actions N      log-ins, log-outs, password changes, registrations, ... per second (2)
  --fault-every S  average seconds between two faults (7), 0 for no faults
  --seed N         repeats the order of faults and messages
  --only TEXT      injects only the faults whose names contain this text; repeatable
  --messages N     svc-messages instances (2)
  --small          one instance of each part
  --patience S     seconds until each pair must exchange a message after the last fault (30)
  --json FILE      writes the results to a file
  --breakages      breaks the product in many ways, one by one, and checks that a short run notices each
  --breakage TEXT  like --breakages, for those whose name contains this text`;

const { values } = readArguments(HELP, {
  options: {
    minutes: { type: "string", default: "2" },
    users: { type: "string", default: "50" },
    reach: { type: "string", default: "2" },
    rate: { type: "string", default: "80" },
    actions: { type: "string", default: "2" },
    "fault-every": { type: "string", default: "7" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", multiple: true, default: [] },
    messages: { type: "string", default: "2" },
    small: { type: "boolean", default: false },
    patience: { type: "string", default: "30" },
    json: { type: "string" },
    breakages: { type: "boolean", default: false },
    breakage: { type: "string", default: "" },
  },
});

if (values.breakages || values.breakage !== "") process.exit(await runBreakages(values.breakage));

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-chaos-"));
// Fast hashing, and no log line per message.
Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "warn" });
// The product warns about each failed call, which the checker expects.
console.warn = () => undefined;
let code = 1;
try {
  const links = new Links();
  const stack = await startStack({
    dataDir,
    openLink: links.open,
    usersInstances: values.small ? 1 : 2,
    realtimeInstances: values.small ? 1 : 3,
    messagesInstances: values.small ? 1 : Number(values.messages),
    mongoMembers: values.small ? 1 : 3,
    redisReplica: !values.small,
    raisesLimits: true,
    withoutFrontends: true,
  });
  const end = () => void stack.stop().then(() => process.exit(1));
  process.on("SIGINT", end).on("SIGTERM", end);
  const startedAt = Date.now();
  const result = await runChaos(stack, links, {
    minutes: Number(values.minutes),
    users: Number(values.users),
    reach: Number(values.reach),
    rate: Number(values.rate),
    actions: Number(values.actions),
    faultEvery: Number(values["fault-every"]),
    seed: Number(values.seed),
    patienceMs: 1_000 * Number(values.patience),
    only: values.only,
  });
  if (values.json !== undefined) writeJson(values.json, result);
  const isKept = report(result, values.seed, Math.round((Date.now() - startedAt) / 1_000));
  code = isKept ? 0 : 1;
  await stack.stop();
  if (isKept) await rm(dataDir, { recursive: true, force: true });
  else logProgress(`the logs are in ${dataDir}`);
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
}
process.exit(code);
