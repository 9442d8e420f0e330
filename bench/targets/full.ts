import { join } from "node:path";
import { Account } from "../../tools/src/chaos/account.ts";
import { repoRoot } from "../../tools/src/root.ts";
import { type Stack, startStack } from "../../tools/src/stack/stack.ts";
import type { Connection } from "../load/wire.ts";
import { connectPair } from "./pairs.ts";
import type { Target } from "./target.ts";

/** The product's path, and the same without what storing costs: see load/insteadOfInserts.ts. */
export const FULL_PATHS = ["full", "unstored", "pinged"] as const;

export interface FullOptions {
  path?: (typeof FULL_PATHS)[number];
  realtimeInstances?: number;
  /** Folder in which each service leaves a CPU profile when it ends. */
  profileDir?: string;
}

/** The product as `npm start` runs it: every message checked, stored, delivered and acked. */
export async function startFull(
  dataDir: string,
  { path = "full", realtimeInstances = 2, profileDir }: FullOptions = {},
): Promise<Target & { stack: Stack }> {
  // How long a password takes to hash is not what is measured here.
  process.env.BCRYPT_COST = "4";
  const profile = profileDir ? ` --cpu-prof --cpu-prof-dir=${profileDir}` : "";
  const preloads = path === "full" ? ["collect.ts"] : ["collect.ts", "insteadOfInserts.ts"];
  const imports = preloads.map((name) => `--import=${join(repoRoot(), "bench/load", name)}`);
  process.env.NODE_OPTIONS = `--expose-gc ${imports.join(" ")}${profile}`;
  process.env.BENCH_PATH = path;
  const stack = await startStack({ dataDir, realtimeInstances, raisesLimits: true });
  const url = stack.url.replace("localhost", "127.0.0.1");
  return {
    name: path,
    stack,
    processes: stack.processes,
    database: ["mongo", "mongo-postgres"],
    stop: stack.stop,
    async connect(count) {
      const connections: Connection[] = [];
      while (connections.length < count) {
        const [a, b] = await Promise.all([Account.register(url, "Bench"), Account.register(url, "Bench")]);
        const thread_id = await a.befriend(b);
        const [one, other] = await connectPair(
          { url, cookie: a.cookie },
          { url, cookie: b.cookie },
          realtimeInstances === 1,
        );
        one.route = { thread_id, sending_user_id: a.id, recipient_user_id: b.id };
        other.route = { thread_id, sending_user_id: b.id, recipient_user_id: a.id };
        connections.push(one, other);
      }
      return connections;
    },
  };
}
