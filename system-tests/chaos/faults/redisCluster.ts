import { SLOT_OF_SHARD } from "@messageoh/service-kit/shards";
import { sendToRedis } from "@messageoh/stack/dependencies/redisCluster";
import type { Stack } from "@messageoh/stack/stack";
import type { Fault, FaultContext } from "./fault.ts";

export const hasCluster = ({ redisUrl }: Stack): boolean => redisUrl.includes(",");

interface Member {
  id: string;
  port: number;
  isReplica: boolean;
  ranges: [from: number, to: number][];
}

/** Returns the faults of a Redis Cluster, besides those of its processes: roles and slots change. */
export function redisClusterFaults({ stack, random }: FaultContext): Fault[] {
  const [, password = "", addresses = ""] = /^redis:\/\/:(.*)@(.*)$/.exec(stack.redisUrl) ?? [];
  const ports = addresses.split(",").map((address) => Number(address.split(":")[1]));
  const send = (port: number, command: string) => sendToRedis(port, password, command);

  /** Returns the members that respond, as one of them knows them. */
  async function members(): Promise<Member[]> {
    for (const port of random.shuffled(ports)) {
      const lines = (await send(port, "CLUSTER NODES")).split("\n").filter((line) => line.includes("connected"));
      const known = lines.filter((line) => !line.includes("fail")).map(memberOf);
      if (known.length > 0) return known;
    }
    return [];
  }

  /** Moves a slot with its keys, as `redis-cli --cluster reshard` does. */
  async function moveSlot(slot: number, owner: Member, target: Member): Promise<void> {
    await send(target.port, `CLUSTER SETSLOT ${slot} IMPORTING ${owner.id}`);
    await send(owner.port, `CLUSTER SETSLOT ${slot} MIGRATING ${target.id}`);
    const reply = await send(owner.port, `CLUSTER GETKEYSINSLOT ${slot} 10000`);
    const keys = reply.split("\r\n").filter((line) => line !== "" && !/^[*$]\d+$/.test(line));
    if (keys.length > 0) {
      await send(owner.port, `MIGRATE 127.0.0.1 ${target.port} "" 0 5000 AUTH ${password} KEYS ${keys.join(" ")}`);
    }
    for (const { port } of [target, owner]) await send(port, `CLUSTER SETSLOT ${slot} NODE ${target.id}`);
  }

  return [
    {
      name: "fail over a node of Redis",
      async inject() {
        const replicas = (await members()).filter(({ isReplica }) => isReplica);
        if (replicas.length > 0) await send(random.pick(replicas).port, "CLUSTER FAILOVER");
      },
    },
    {
      name: "move a slot of Redis",
      async inject() {
        const nodes = (await members()).filter(({ ranges }) => ranges.length > 0);
        const slot = random.pick([...SLOT_OF_SHARD.values()]);
        const owner = nodes.find(({ ranges }) => ranges.some(([from, to]) => from <= slot && slot <= to));
        const target = nodes.find((node) => node !== owner);
        if (owner && target) await moveSlot(slot, owner, target);
      },
    },
  ];
}

function memberOf(line: string): Member {
  const [id = "", address = "", flags = "", ...rest] = line.trim().split(" ");
  const ranges = rest.slice(5).flatMap((range): [number, number][] => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    return from === undefined ? [] : [[Number(from), Number(to)]];
  });
  return { id, port: Number(/:(\d+)@/.exec(address)?.[1]), isReplica: flags.includes("slave"), ranges };
}
