import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { exitWithUsage, readArguments } from "@messageoh/cli/arguments";
import { formatError, logProgress } from "@messageoh/cli/progress";
import { type ConnectionFigures, measureConnections } from "./connections.ts";
import { printReport, summarise } from "./report.ts";
import { measureRounds } from "./rounds.ts";
import { startBaseline } from "./targets/baseline.ts";
import { startFull } from "./targets/full.ts";
import { startPeer } from "./targets/peer.ts";
import type { Target } from "./targets/target.ts";

// npm run bench compares throughput, latency and CPU of the product with a baseline and with ejabberd.
const HELP = `npm run bench -- [options]
  --rounds N     interleaved rounds (5)
  --seconds N    length of each measurement (4)
  --warm-up N    seconds of load on each target before the first round (12)
  --paths LIST   targets: R (baseline), full (product), peer (ejabberd with archive) (R,full,peer)
  --messages N   svc-messages instances of full (1)
  --sockets N    sockets on the instance that is killed (5000); 0 skips this part
  --profile DIR  writes CPU profiles of the product's services into DIR; slows them down
  --json FILE    also writes the figures as JSON`;

const { values } = readArguments(HELP, {
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    "warm-up": { type: "string", default: "12" },
    paths: { type: "string", default: "R,full,peer" },
    messages: { type: "string", default: "1" },
    sockets: { type: "string", default: "5000" },
    profile: { type: "string" },
    json: { type: "string" },
  },
});

const PATHS = ["R", "full", "peer"];
const chosen = values.paths.split(",");
const unknown = chosen.find((path) => !PATHS.includes(path));
if (unknown !== undefined) exitWithUsage(HELP, `--paths takes ${PATHS.join(", ")}, not ${unknown}`);

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-bench-"));
const targets: Target[] = [];
const stopAll = async () => {
  await Promise.all(targets.map((target) => target.stop()));
  await rm(dataDir, { recursive: true, force: true });
};
process.on("SIGINT", () => void stopAll().then(() => process.exit(1)));
process.on("SIGTERM", () => void stopAll().then(() => process.exit(1)));
let code = 1;
try {
  if (chosen.includes("R")) targets.push(await startBaseline(join(dataDir, "baseline")));
  if (chosen.includes("full")) {
    const options = { messagesInstances: Number(values.messages), profileDir: values.profile };
    targets.push(await startFull(join(dataDir, "full"), options));
  }
  if (chosen.includes("peer")) {
    const peer = await startPeer(join(dataDir, "peer"));
    if (peer) targets.push(peer);
    else
      logProgress(
        "peer: skipped, ejabberd or PostgreSQL is not installed (Debian: ejabberd erlang-p1-pgsql postgresql)",
      );
  }
  logProgress(`load average ${loadavg().map((load) => load.toFixed(1))}`);
  const measured = await measureRounds(targets, {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUpSeconds: Number(values["warm-up"]),
  });
  logProgress(`load average ${loadavg().map((load) => load.toFixed(1))}`);
  const sockets = Number(values.sockets);
  let connections: ConnectionFigures | null = null;
  if (sockets > 0 && chosen.includes("full")) {
    // Start new processes: those that were under load retain freed memory.
    await Promise.all(targets.splice(0).map((target) => target.stop()));
    const fresh = await startFull(join(dataDir, "connections"));
    targets.push(fresh);
    connections = await measureConnections(fresh.stack, sockets);
  }
  const summary = summarise(measured, connections);
  printReport(measured, summary);
  if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
  code = 0;
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
}
await stopAll();
process.exit(code);
