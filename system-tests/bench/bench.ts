import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments, refuse } from "@messageoh/cli/arguments";
import { explain, say } from "@messageoh/cli/say";
import { type ConnectionFigures, measureConnections } from "./connections.ts";
import { printReport, summarise } from "./report.ts";
import { measureRounds } from "./rounds.ts";
import { startBaseline } from "./targets/baseline.ts";
import { startFull } from "./targets/full.ts";
import { startPeer } from "./targets/peer.ts";
import type { Target } from "./targets/target.ts";

// npm run bench: how fast a message gets through the product, next to a baseline and to a peer in the same run.
const HELP = `npm run bench -- [options]
  --rounds N     interleaved rounds (5)
  --seconds N    length of each measurement (4)
  --warm-up N    seconds of load on each path before the first round (12)
  --paths LIST   which to run: R, the baseline; full, the product; peer, ejabberd with its archive (R,full,peer)
  --messages N   svc-messages instances of full (1)
  --sockets N    sockets of the instance that is killed (5000); 0 skips connections
  --profile DIR  writes a CPU profile of each service of full there; slows it down
  --json FILE    writes the figures there as well`;

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
const wanted = values.paths.split(",");
const unknown = wanted.find((path) => !PATHS.includes(path));
if (unknown !== undefined) refuse(HELP, `--paths takes ${PATHS.join(", ")}, not ${unknown}`);

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
  if (wanted.includes("R")) targets.push(await startBaseline(join(dataDir, "baseline")));
  if (wanted.includes("full")) {
    const options = { messagesInstances: Number(values.messages), profileDir: values.profile };
    targets.push(await startFull(join(dataDir, "full"), options));
  }
  if (wanted.includes("peer")) {
    const peer = await startPeer(join(dataDir, "peer"));
    if (peer) targets.push(peer);
    else say("peer: skipped, ejabberd or PostgreSQL is not installed (Debian: ejabberd erlang-p1-pgsql postgresql)");
  }
  say(`load average ${loadavg().map((load) => load.toFixed(1))}`);
  const measured = await measureRounds(targets, {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUpSeconds: Number(values["warm-up"]),
  });
  say(`load average ${loadavg().map((load) => load.toFixed(1))}`);
  const sockets = Number(values.sockets);
  let connections: ConnectionFigures | null = null;
  if (sockets > 0 && wanted.includes("full")) {
    // New processes, because those that were under load hold free memory.
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
  process.stderr.write(`${explain(error)}\n`);
}
await stopAll();
process.exit(code);
