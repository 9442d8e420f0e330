import { findHeard } from "@messageoh/service-kit/publish";
import { shardOf } from "@messageoh/service-kit/shards";
import { until } from "@messageoh/service-kit/testing/until";
import { startRedis } from "@messageoh/stack/dependencies/redis";
import { sendToRedis } from "@messageoh/stack/dependencies/redisCluster";
import { freePort } from "@messageoh/stack/ports";
import type { Supervisor } from "@messageoh/stack/processes/supervisor";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";
import { closeRedis, listen, login } from "./redisClients.ts";

let supervisor: Supervisor;
let stop: () => Promise<void>;
let url: string;

beforeAll(async () => {
  ({ supervisor, stop } = await temporarySupervisor("cluster"));
  url = await startRedis({ supervisor, dataDir: supervisor.dir, portFor: () => freePort() }, { nodes: 3, replicas: 1 });
});
afterEach(closeRedis);
afterAll(() => stop());

const passwordOf = () => new URL(url.split(",")[0] as string).password;
const ports = () => [...url.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
const send = (port: number, command: string) => sendToRedis(port, passwordOf(), command);

it("counts the subscribers of a channel, whichever node has it, and keeps the order of a channel", async () => {
  const { publisher, publish, received } = await listen(url, "user:ann");
  const heard = await publish([1, 2, 3].map((number) => ["user:ann", { number }] as const));
  expect(heard).toEqual(new Set());
  await until(() => received.includes(3));
  expect(received.slice(-3)).toEqual([1, 2, 3]);
  const users = Array.from({ length: 30 }, (_, index) => `user:${index}`);
  expect(await publish(users.map((user) => [user, {}] as const))).toEqual(new Set(users));
  expect(await findHeard(publisher, [...users, "user:ann"])).toEqual(new Set(["user:ann"]));
});

/** Returns the nodes with slots, the one that has a shard first. */
async function nodesOf(shard: string): Promise<{ id: string; port: number }[]> {
  const [entry = 0] = ports();
  const slot = Number((await send(entry, `CLUSTER KEYSLOT ${shard}`)).match(/\d+/));
  const has = (line: string) =>
    [...line.matchAll(/ (\d+)-(\d+)/g)].some(([, from, to]) => Number(from) <= slot && slot <= Number(to));
  const lines = (await send(entry, "CLUSTER NODES")).split("\n").filter((line) => /master.* connected \d/.test(line));
  const nodes = lines.toSorted((a, b) => Number(has(b)) - Number(has(a)));
  return nodes.map((line) => ({ id: line.split(" ")[0] as string, port: Number(line.match(/:(\d+)@/)?.[1]) }));
}

it("reports a lost subscription when the slot of a channel has moved, and hears it at its new node", async () => {
  const { publisher, heard, arrives } = await listen(url, "user:ann");
  const shard = shardOf(publisher, "user:ann");
  const slot = Number((await send(ports()[0] as number, `CLUSTER KEYSLOT ${shard}`)).match(/\d+/));
  const [owner, target] = await nodesOf(shard);
  for (const node of [target, owner]) await send(node?.port as number, `CLUSTER SETSLOT ${slot} NODE ${target?.id}`);
  await until(() => heard.lost > 0 && heard.restored > 0);
  await arrives(1);
});

it("reports a lost subscription when a node fails, and hears the channel at its replica", async () => {
  const { publisher, heard, arrives } = await listen(url, "user:bob");
  const [owner] = await nodesOf(shardOf(publisher, "user:bob"));
  const { pid = 0 } = supervisor.processes().find(({ port }) => port === owner?.port) ?? {};
  process.kill(pid, "SIGSTOP");
  await until(() => heard.lost > 0 && heard.restored > 0);
  await arrives(1);
  process.kill(pid, "SIGCONT");
});

describe("a service is never ready, and its log names the cause,", () => {
  it("with a wrong password", async () => {
    expect(await login(url.replace(passwordOf(), "wrong"))).toEqual({
      isReady: false,
      reasons: [expect.stringContaining("WRONGPASS")],
    });
  });

  it("with a single Redis given as a cluster", async () => {
    const single = await temporarySupervisor("single");
    const at = await startRedis({ ...single, dataDir: single.dir, portFor: () => freePort() });
    expect(await login(`${at},${at.split("@")[1]}`)).toEqual({
      isReady: false,
      reasons: [expect.stringContaining("cluster support disabled")],
    });
    await single.stop();
  });

  it("with slots that belong to no node", async () => {
    for (const port of ports()) await send(port, "CLUSTER DELSLOTS 0 1");
    await until(async () => !(await login(url)).isReady);
    expect(await login(url)).toEqual({
      isReady: false,
      reasons: ["2 slots of the cluster belong to no node"],
    });
  });
});
