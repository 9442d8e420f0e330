import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readOptions } from "@messageoh/stack/command/arguments";
import { runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { checkOut } from "../chaos/upgrade/checkOut.ts";
import { type ConnectionFigures, measureConnections } from "./connections.ts";
import { isLoadName } from "./load/load.ts";
import { printReport, summarise } from "./report.ts";
import { measureInBothOrders, type StartTarget } from "./rounds.ts";
import { startBaseline } from "./targets/baseline.ts";
import { startFull } from "./targets/full.ts";
import { startPeer } from "./targets/peer.ts";
import type { Target } from "./targets/target.ts";

// npm run bench compares throughput, latency and CPU of the product with a baseline, with ejabberd and with other
// commits.
const { values, reject } = readOptions("npm run bench", {
  only: ["64,600,400/s,1000/s,sockets", "LIST", "loads: messages in flight, or messages per second; and idle sockets"],
  rounds: [6, "N", "interleaved rounds, half of them with the targets started in the opposite order"],
  seconds: [4, "N", "length of each measurement"],
  "warm-up": [12, "N", "seconds of load on each target before the first round"],
  paths: ["R,full,peer", "LIST", "targets: R (baseline), full (product), peer (ejabberd with archive)"],
  against: [undefined, "COMMIT", "adds the product of this commit as a target"],
  sockets: [5000, "N", "sockets on the instance that is killed; 0 skips this part"],
  json: [undefined, "FILE", "also writes the figures as JSON"],
});

const PATHS = ["R", "full", "peer"];
const PEER_PROGRAMS = "ejabberd and PostgreSQL (Debian: ejabberd erlang-p1-pgsql postgresql)";
const chosen = values.paths.split(",");
const unknown = chosen.find((path) => !PATHS.includes(path));
if (unknown !== undefined) reject(`--paths takes ${PATHS.join(", ")}, not ${unknown}`);
const parts = values.only.split(",");
const loads = parts.filter(isLoadName);
const invalid = parts.find((part) => part !== "sockets" && !isLoadName(part));
if (invalid !== undefined) reject(`--only takes numbers in flight, rates such as 400/s and sockets, not ${invalid}`);

await runCommand("bench", async ({ dir, atEnd }) => {
  const targets: Target[] = [];
  const stopAll = () => Promise.all(targets.splice(0).map((target) => target.stop()));
  atEnd(stopAll);
  const { seconds, rounds, sockets } = values;
  const root = values.against && (await checkOut(repoRoot(), values.against));
  const isUnderLoad = (path: string) => loads.length > 0 && chosen.includes(path);
  const starts: StartTarget[] = [];
  if (isUnderLoad("R")) starts.push(startBaseline);
  if (isUnderLoad("full")) starts.push((path) => startFull(path));
  if (isUnderLoad("full") && root)
    starts.push(async (path) => ({ ...(await startFull(path, { root })), name: "against" }));
  if (isUnderLoad("peer"))
    starts.push(async (path) => {
      const peer = await startPeer(path);
      if (!peer) logProgress(`peer: skipped, ${PEER_PROGRAMS} are not installed`);
      return peer;
    });
  const options = { loads, rounds, seconds, warmUpSeconds: values["warm-up"] };
  const measured = await measureInBothOrders(starts, dir, options, targets);
  let connections: ConnectionFigures | null = null;
  if (sockets > 0 && parts.includes("sockets") && chosen.includes("full")) {
    // Start new processes: those that were under load retain freed memory.
    const fresh = await startFull(join(dir, "connections"));
    targets.push(fresh);
    connections = await measureConnections(fresh.stack, sockets);
  }
  const summary = summarise(measured, connections);
  printReport(measured, loads, summary);
  if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
});
