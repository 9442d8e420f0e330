import { readFile } from "node:fs/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { isCluster } from "@messageoh/service-kit/redis";
import { SLOT_OF_SHARD, shardOf } from "@messageoh/service-kit/shards";
import { until } from "@messageoh/service-kit/testing/until";
import { makeCertificate } from "@messageoh/stack/certificate";
import { startRedis } from "@messageoh/stack/dependencies/redis";
import { formCluster, sendToRedis } from "@messageoh/stack/dependencies/redisCluster";
import { freePort } from "@messageoh/stack/ports";
import type { Supervisor } from "@messageoh/stack/processes/supervisor";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";
import { closeRedis, listen, login } from "./redisClients.ts";

const NODES = 3;
const known = getCACertificates("default");
let supervisor: Supervisor;
let stop: () => Promise<void>;
let certificate: string;
let ports: number[];
let tlsPorts: number[];
let url: string;

beforeAll(async () => {
  ({ supervisor, stop } = await temporarySupervisor("tls"));
  const dataDir = supervisor.dir;
  const files = await makeCertificate(dataDir);
  certificate = files.certificate;
  const plain = await startRedis({ supervisor, dataDir, portFor: () => freePort() }, { nodes: NODES, replicas: 1 });
  const password = new URL(plain.split(",")[0] as string).password;
  ports = [...plain.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
  tlsPorts = await enableTls(
    ports,
    password,
    `tls-cert-file ${certificate} tls-key-file ${files.key} tls-ca-cert-file ${certificate}`,
  );
  url = `rediss://:${password}@${tlsPorts.map((port) => `127.0.0.1:${port}`).join(",")}`;
});
afterEach(closeRedis);
afterAll(async () => {
  setDefaultCACertificates(known);
  await stop();
});

/**
 * Makes the nodes of a cluster accept TLS at further ports, and use it among each other. They form their cluster again:
 * a node learns the ports of another when they meet.
 */
async function enableTls(ports: readonly number[], password: string, files: string): Promise<number[]> {
  const tlsPorts: number[] = [];
  for (const port of ports) {
    const tlsPort = await freePort();
    const settings = `${files} tls-auth-clients no tls-port ${tlsPort} tls-cluster yes tls-replication yes`;
    expect(await sendToRedis(port, password, `CONFIG SET ${settings}`)).toBe("+OK\r\n");
    expect(await sendToRedis(port, password, "CLUSTER RESET HARD")).toBe("+OK\r\n");
    tlsPorts.push(tlsPort);
  }
  await formCluster(ports, NODES, password);
  return tlsPorts;
}

it.each([
  ["a server", () => url.split(",")[0] as string],
  ["a cluster", () => url],
])("is never ready with the certificate of an unknown authority of %s, and the log names the cause", async (_, at) => {
  expect(await login(at())).toEqual({ isReady: false, reasons: [expect.stringContaining("self-signed certificate")] });
});

it("hears a channel of a cluster through TLS, also after a node fails", async () => {
  // As NODE_EXTRA_CA_CERTS does at the start of a process.
  setDefaultCACertificates([...known, await readFile(certificate, "utf8")]);
  const { publisher, heard, arrives } = await listen(url, "user:ann");
  await arrives(1);
  const slots = isCluster(publisher) ? publisher.slots : [];
  const [owner] = slots[SLOT_OF_SHARD.get(shardOf(publisher, "user:ann")) as number] ?? [];
  const port = ports[tlsPorts.findIndex((tlsPort) => owner?.endsWith(`:${tlsPort}`))] as number;
  const { pid } = supervisor.processes().find((part) => part.port === port) as { pid: number };
  const { restored } = heard;
  process.kill(pid, "SIGSTOP");
  await until(() => heard.lost > 0 && heard.restored > restored);
  await arrives(2);
  process.kill(pid, "SIGCONT");
});
