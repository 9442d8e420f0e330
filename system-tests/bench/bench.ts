import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { readOptions } from "@messageoh/cli/arguments";
import { runCommand } from "@messageoh/cli/command";
import { logProgress } from "@messageoh/cli/progress";
import { type ConnectionFigures, measureConnections } from "./connections.ts";
import { printReport, summarise } from "./report.ts";
import { measureRounds } from "./rounds.ts";
import { startBaseline } from "./targets/baseline.ts";
import { startFull } from "./targets/full.ts";
import { startPeer } from "./targets/peer.ts";
import type { Target } from "./targets/target.ts";

// npm run bench compares throughput, latency and CPU of the product with a baseline and with ejabberd.
const { values, reject } = readOptions("npm run bench", {
  rounds: [5, "N", "interleaved rounds"],
  seconds: [4, "N", "length of each measurement"],
  "warm-up": [12, "N", "seconds of load on each target before the first round"],
  paths: ["R,full,peer", "LIST", "targets: R (baseline), full (product), peer (ejabberd with archive)"],
  messages: [1, "N", "svc-messages instances of full"],
  sockets: [5000, "N", "sockets on the instance that is killed; 0 skips this part"],
  json: [undefined, "FILE", "also writes the figures as JSON"],
});

const PATHS = ["R", "full", "peer"];
const chosen = values.paths.split(",");
const unknown = chosen.find((path) => !PATHS.includes(path));
if (unknown !== undefined) reject(`--paths takes ${PATHS.join(", ")}, not ${unknown}`);

await runCommand("bench", async ({ dir, atEnd }) => {
  const targets: Target[] = [];
  const stopAll = () => Promise.all(targets.splice(0).map((target) => target.stop()));
  atEnd(stopAll);
  const { seconds, rounds, sockets } = values;
  if (chosen.includes("R")) targets.push(await startBaseline(join(dir, "baseline")));
  if (chosen.includes("full")) {
    targets.push(await startFull(join(dir, "full"), { messagesInstances: values.messages }));
  }
  if (chosen.includes("peer")) {
    const peer = await startPeer(join(dir, "peer"));
    if (peer) targets.push(peer);
    else
      logProgress(
        "peer: skipped, ejabberd or PostgreSQL is not installed (Debian: ejabberd erlang-p1-pgsql postgresql)",
      );
  }
  logProgress(`load average ${loadavg().map((load) => load.toFixed(1))}`);
  const measured = await measureRounds(targets, { rounds, seconds, warmUpSeconds: values["warm-up"] });
  logProgress(`load average ${loadavg().map((load) => load.toFixed(1))}`);
  let connections: ConnectionFigures | null = null;
  if (sockets > 0 && chosen.includes("full")) {
    // Start new processes: those that were under load retain freed memory.
    await stopAll();
    const fresh = await startFull(join(dir, "connections"));
    targets.push(fresh);
    connections = await measureConnections(fresh.stack, sockets);
  }
  const summary = summarise(measured, connections);
  printReport(measured, summary);
  if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
});
