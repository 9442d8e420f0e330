import { sendToRedis } from "@messageoh/stack/dependencies/redisCluster";
import { pause } from "../../client/account.ts";
import type { Fault, FaultContext } from "./fault.ts";

const LASTS_MS = 15_000;

/**
 * Returns the fault of a Redis failover: the replica becomes the primary, the address of Redis leads to it, and all
 * connections end, as Sentinel and managed services do it. Later the same happens in the other direction.
 */
export function redisFailover({ stack, links }: FaultContext): Fault {
  const command = (port: number, text: string) => sendToRedis(port, new URL(stack.redisUrl).password, text);
  const portOf = (name: string) => stack.processes().find((entry) => entry.name === name)?.port;
  const moveTo = async (primary: number, replica: number) => {
    await command(primary, "REPLICAOF NO ONE");
    await command(replica, `REPLICAOF 127.0.0.1 ${primary}`);
    for (const link of links.between("svc", "redis")) {
      link.retarget(primary);
      link.reset();
    }
  };
  return {
    name: "fail over Redis",
    async inject() {
      const [port, replica] = [portOf("redis"), portOf("redis-replica")];
      if (port === undefined || replica === undefined) return;
      await moveTo(replica, port);
      await pause(LASTS_MS);
      await moveTo(port, replica);
    },
  };
}
