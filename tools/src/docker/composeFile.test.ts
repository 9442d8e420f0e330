import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { parse } from "yaml";
import { SECRETS } from "./secrets.ts";

type Service = Record<string, unknown> & { command?: unknown; entrypoint?: unknown };

const root = repoRoot();
let services: Record<string, Service>;

beforeAll(async () => {
  services = parse(await readFile(join(root, "docker-compose.yml"), "utf8"), { merge: true }).services;
});

it("limits memory and processes of every container and drops its capabilities", () => {
  for (const [name, service] of Object.entries(services)) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        mem_limit: expect.any(String),
        pids_limit: expect.any(Number),
        read_only: true,
        cap_drop: ["ALL"],
      }),
    ]);
  }
});

it("passes no secret as an argument", () => {
  for (const [name, { command = "", entrypoint = "" }] of Object.entries(services)) {
    // printf is a builtin of the shell, so its arguments are not visible in /proc.
    const text = JSON.stringify([command, entrypoint]).replaceAll(/printf '?[^>]*>/g, "");
    for (const secret of SECRETS)
      expect([name, text.replaceAll(`unset ${secret}`, "")]).toEqual([name, expect.not.stringContaining(secret)]);
  }
});

it("gives no service a value for a secret that .env does not have, so that a file can have it", () => {
  for (const [name, { environment = {} }] of Object.entries(services)) {
    if (!name.startsWith("svc-")) continue;
    for (const secret of SECRETS) {
      const value: unknown = Object(environment)[secret] ?? null;
      expect([name, secret, value === null || String(value).startsWith(`\${${secret}:?`)]).toEqual([
        name,
        secret,
        true,
      ]);
    }
  }
});

it("lets .env set the size of the thread pool that hashes passwords", () => {
  expect(services["svc-users"]).toMatchObject({ environment: { UV_THREADPOOL_SIZE: "${UV_THREADPOOL_SIZE:-8}" } });
});

it("limits MongoDB's log of changes as npm start does", async () => {
  const local = await readFile(join(root, "packages/stack/src/dependencies/mongo.ts"), "utf8");
  const [, size] = /"--oplogSize", "(\d+)"/.exec(local) ?? [];
  expect(size).toBeDefined();
  expect(String(services.mongo?.command)).toContain(` --oplogSize ${size}`);
});

it("stores the responses that slow clients have not read on the disk, not in the gateway's memory", () => {
  expect(services.gateway).toMatchObject({ tmpfs: [], volumes: expect.arrayContaining(["gateway:/tmp"]) });
});

it("stops the gateway without waiting for WebSockets, because the next one can listen only afterwards", () => {
  // SIGQUIT, the signal of the image, closes the listening sockets and then waits for the connections.
  expect(services.gateway).toMatchObject({ stop_signal: "SIGTERM" });
});

it("gives the services the address of each node of a Redis Cluster, and each node the names of all", async () => {
  const text = await readFile(join(root, "docker-compose.yml"), "utf8");
  const withCluster = text
    .replaceAll(/\$\{REDIS_CLUSTER:\+([^}]*)\}/g, "$1")
    .replaceAll(/\$\{\w+:\?[^}]*\}/g, "secret");
  const parsed: Record<string, Service> = parse(withCluster, { merge: true }).services;
  const nodes = Object.keys(parsed).filter((name) => name.startsWith("redis"));
  expect(nodes).toEqual(["redis", "redis-2", "redis-3"]);
  for (const name of nodes) {
    expect(parsed[name]).toMatchObject({ hostname: name, environment: { REDIS_NODES: nodes.join(" ") } });
  }
  for (const service of ["svc-users", "svc-messages", "svc-media", "svc-realtime"]) {
    const REDIS_URL = `redis://:secret@${nodes.map((name) => `${name}:6379`).join(",")}`;
    expect(parsed[service]).toMatchObject({ environment: { REDIS_URL } });
  }
});
