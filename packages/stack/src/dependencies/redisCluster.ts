import { PlainError } from "../command/progress.ts";
import { exchange, until } from "../ports.ts";

const SLOTS = 16_384;
const FORMED_TIMEOUT_MS = 30_000;

/** Arguments of a member. A failover begins two seconds after a node stops responding. */
export const CLUSTER_ARGS = [
  ...["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"],
  // A replica can take over when it has copied its node once.
  ...["--repl-diskless-sync-delay", "0"],
];

/**
 * Sends a command to the Redis on a loopback port.
 * Returns its reply as the protocol writes it, or an empty text if there is none in time.
 */
export async function sendToRedis(port: number, password: string, command: string): Promise<string> {
  const reply = await exchange(port, `AUTH ${password}\r\n${command}\r\n`);
  return (reply?.toString() ?? "").replace(/^\+OK\r\n/, "");
}

/**
 * Makes running members one Redis Cluster, and resolves when every member can serve commands. Members refuse the
 * commands that would change a cluster that exists, so its roles and slots stay.
 * @param ports those of the nodes that get the slots, then those of their replicas
 */
export async function formCluster(ports: readonly number[], nodes: number, password: string): Promise<void> {
  const send = (port: number, command: string) => sendToRedis(port, password, command);
  const [entry = 0] = ports;
  const busPort = (await send(entry, "CONFIG GET cluster-port")).trim().split("\r\n").at(-1);
  const firstSlot = (index: number) => Math.floor((SLOTS * index) / nodes);
  for (const [index, port] of ports.entries()) {
    if (index < nodes) {
      await send(port, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`);
      await send(port, `CLUSTER ADDSLOTSRANGE ${firstSlot(index)} ${firstSlot(index + 1) - 1}`);
    }
    if (port !== entry) await send(port, `CLUSTER MEET 127.0.0.1 ${entry} ${busPort}`);
  }
  const isFormed = async (port: number): Promise<boolean> => {
    const info = await send(port, "CLUSTER INFO");
    return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${ports.length}\r`);
  };
  /** Resolves when a check holds for every member. */
  const all = async (check: (port: number) => Promise<boolean>): Promise<void> => {
    const hold = async () => (await Promise.all(ports.map(check))).every(Boolean);
    if (!(await until(hold, FORMED_TIMEOUT_MS))) {
      throw new PlainError("The nodes of Redis do not form a cluster: see their logs");
    }
  };
  await all(isFormed);
  for (const [index, port] of ports.slice(nodes).entries()) {
    const id = (await send(ports[index % nodes] as number, "CLUSTER MYID")).split("\r\n")[1];
    await send(port, `CLUSTER REPLICATE ${id}`);
  }
  const replicas = ports.length - nodes;
  await all(
    async (port) =>
      (await send(port, "CLUSTER NODES")).split("slave ").length > replicas &&
      !(await send(port, "INFO replication")).includes("master_link_status:down"),
  );
}
