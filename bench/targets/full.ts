import { Account } from "../../tools/src/chaos/account.ts";
import { type Stack, startStack } from "../../tools/src/stack/stack.ts";
import type { Connection } from "../load/wire.ts";
import { connectPair } from "./pairs.ts";
import type { Target } from "./target.ts";

/** The product as `npm start` runs it: every message checked, stored, delivered and acked. */
export async function startFull(dataDir: string): Promise<Target & { stack: Stack }> {
  // How long a password takes to hash is not what is measured here.
  process.env.BCRYPT_COST = "4";
  const stack = await startStack({ dataDir, raisesLimits: true });
  const url = stack.url.replace("localhost", "127.0.0.1");
  return {
    name: "full",
    stack,
    processes: stack.processes,
    database: ["mongo", "mongo-postgres"],
    stop: stack.stop,
    async connect(count) {
      const connections: Connection[] = [];
      while (connections.length < count) {
        const [a, b] = await Promise.all([Account.register(url, "Bench"), Account.register(url, "Bench")]);
        const thread_id = await a.befriend(b);
        const [one, other] = await connectPair({ url, cookie: a.cookie }, { url, cookie: b.cookie });
        one.route = { thread_id, sending_user_id: a.id, recipient_user_id: b.id };
        other.route = { thread_id, sending_user_id: b.id, recipient_user_id: a.id };
        connections.push(one, other);
      }
      return connections;
    },
  };
}
