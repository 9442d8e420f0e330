import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@messageoh/service-kit/testing/until";
import { findRedis } from "@messageoh/stack/dependencies/programs";
import { startRedis } from "@messageoh/stack/dependencies/redis";
import { exchange, freePort } from "@messageoh/stack/ports";
import { STAGE } from "@messageoh/stack/processes/part";
import type { Supervisor } from "@messageoh/stack/processes/supervisor";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";
import { closeRedis, listen } from "./redisClients.ts";

const SENTINELS = 3;
const PUBLISH_EVERY_MS = 20;

let dataDir: string;
let supervisor: Supervisor;
let stop: () => Promise<void>;
let url: string;
let sentinels: number[];

beforeEach(async () => {
  ({ dir: dataDir, supervisor, stop } = await temporarySupervisor("sentinel"));
  const at = new URL(await startRedis({ supervisor, dataDir, portFor: () => freePort() }, { replicas: 1 }));
  sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, (_, index) => startSentinel(`sentinel-${index}`, Number(at.port), at.password)),
  );
  url = `redis+sentinel://:${at.password}@${sentinels.map((port) => `127.0.0.1:${port}`).join(",")}/main`;
});
afterEach(async () => {
  closeRedis();
  await stop();
});

/** Starts a Sentinel that watches the primary on a port. It resolves when it knows the others and the replica. */
async function startSentinel(name: string, primary: number, password: string): Promise<number> {
  const port = await freePort();
  const file = join(dataDir, `${name}.conf`);
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${dataDir}`,
    `sentinel monitor main 127.0.0.1 ${primary} 2`,
    `sentinel auth-pass main ${password}`,
    "sentinel down-after-milliseconds main 1000",
    "sentinel failover-timeout main 10000",
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  const { command, env } = await findRedis();
  const ready = async () => {
    const state = await ask(port, "SENTINEL MASTER main");
    return state.includes("num-slaves\r\n$1\r\n1") && state.includes(`num-other-sentinels\r\n$1\r\n${SENTINELS - 1}`);
  };
  await supervisor.start({ name, command, args: [file, "--sentinel"], env, port, stage: STAGE.dependency, ready });
  return port;
}

const ask = async (port: number, command: string) => (await exchange(port, `${command}\r\n`))?.toString() ?? "";

/** Returns the port of the primary, as the Sentinels know it. */
async function primaryPort(): Promise<number> {
  const reply = await ask(sentinels[0] as number, "SENTINEL GET-MASTER-ADDR-BY-NAME main");
  return Number(reply.split("\r\n").at(-2));
}

const pidOf = (port: number): number =>
  (supervisor.processes().find((part) => part.port === port) as { pid: number }).pid;

/** Publishes numbers while the Sentinels make the replica the primary. */
async function publishDuring(failOver: (primary: number) => Promise<unknown>) {
  const { publish, received, heard, arrives } = await listen(url, "user:ann");
  const accepted: number[] = [];
  let number = 0;
  const timer = setInterval(async () => {
    number += 1;
    const own = number;
    const unheard = await publish([["user:ann", { number: own }]]);
    if (unheard?.size === 0) accepted.push(own);
  }, PUBLISH_EVERY_MS);
  const primary = await primaryPort();
  await failOver(primary);
  await until(async () => (await primaryPort()) !== primary);
  await until(() => heard.restored > 0);
  const before = number;
  await until(() => accepted.some((each) => each > before));
  clearInterval(timer);
  await arrives(1_000_000);
  return { primary, accepted, received, heard };
}

it.each([
  ["is frozen", async (primary: number) => process.kill(pidOf(primary), "SIGSTOP")],
  ["is replaced by an operator", () => ask(sentinels[0] as number, "SENTINEL FAILOVER main")],
])("moves publishers and subscribers to the new primary when the old one %s", async (_, failOver) => {
  const { primary, accepted, received, heard } = await publishDuring(failOver);
  process.kill(pidOf(primary), "SIGCONT");
  // Whatever somebody heard has arrived, in order.
  expect(accepted.filter((each) => !received.includes(each))).toEqual([]);
  expect(received).toEqual(received.toSorted((a, b) => a - b));
  expect(heard.lost).toBeGreaterThan(0);
});
