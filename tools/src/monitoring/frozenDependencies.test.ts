import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseMetrics } from "@messageoh/service-kit/testing/metrics";
import { silenceProgress } from "@messageoh/stack/command/progress";
import { until } from "@messageoh/stack/ports";
import { type Stack, startStack } from "@messageoh/stack/stack";

/** The dependencies of each service by the name of its process. */
const DEPENDENCIES = {
  "svc-users": ["mongodb", "redis"],
  "svc-messages": ["mongodb", "redis", "svc-users"],
  "svc-realtime-1": ["redis", "svc-users"],
  "svc-media": ["mongodb", "redis", "storage", "svc-users", "svc-messages"],
};
const SERVICES = Object.keys(DEPENDENCIES) as (keyof typeof DEPENDENCIES)[];
const NOTICED_MS = 10_000;
const RESTARTED_MS = 60_000;

let stack: Stack;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "messageoh-frozen-"));
  silenceProgress();
  stack = await startStack({ dataDir, realtimeInstances: 1, withoutFrontends: true });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

const entryOf = (name: string) => stack.processes().find((entry) => entry.name === name);
/** Signals a process and its workers. */
const signal = (name: string, sent: NodeJS.Signals) => process.kill(-(entryOf(name)?.pid ?? Number.NaN), sent);

/** Returns the dependencies that do not respond, as the metrics of these services show them. */
async function unresponsive(services: readonly string[]): Promise<[service: string, dependency: string][]> {
  const found = services.map(async (service): Promise<[string, string][]> => {
    const response = await fetch(`http://127.0.0.1:${entryOf(service)?.port}/metrics`);
    return parseMetrics(await response.text())
      .filter(({ name, value }) => name === "messageoh_dependency_responsive" && value === 0)
      .map(({ labels }) => [service, labels.dependency ?? ""]);
  });
  return (await Promise.all(found)).flat();
}

/** Returns the dependencies that do not respond, as the log of a service names them. */
const logged = (service: string): string[] =>
  readFileSync(join(dataDir, "logs", `${service}.log`), "utf8")
    .split("\n")
    .filter((line) => line.includes("dependency does not respond"))
    .map((line) => JSON.parse(line).dependency);

it.each([
  ["mongo", "mongodb"],
  ["redis", "redis"],
  ["svc-users", "svc-users"],
])("names a frozen %s, and no other dependency, in the metrics and logs of its callers", async (frozen, dependency) => {
  const callers = SERVICES.filter((service) => DEPENDENCIES[service].includes(dependency));
  const observers = SERVICES.filter((service) => service !== frozen);
  const before = observers.map((service) => logged(service).length);
  signal(frozen, "SIGSTOP");
  try {
    const isNamed = async () => (await unresponsive(callers)).length >= callers.length;
    expect(await until(isNamed, NOTICED_MS)).toBe(true);
    expect(await unresponsive(observers)).toEqual(callers.map((caller) => [caller, dependency]));
  } finally {
    signal(frozen, "SIGCONT");
  }
  expect(await until(async () => (await unresponsive(SERVICES)).length === 0, 30_000)).toBe(true);
  expect(observers.map((service, index) => logged(service).slice(before[index]))).toEqual(
    observers.map((service) => (callers.includes(service) ? [dependency] : [])),
  );
});

it("restarts frozen services and a frozen gateway, but no frozen datastore", async () => {
  const ours = [...SERVICES, "gateway"];
  const frozen = [...ours, "mongo", "redis"];
  const listed = () =>
    JSON.parse(readFileSync(join(dataDir, "processes.json"), "utf8")) as { name: string; pid: number }[];
  const before = listed();
  const restarted = () =>
    before
      .filter(({ name, pid }) => listed().some((now) => now.name === name && now.pid !== pid))
      .map(({ name }) => name);
  for (const name of frozen) signal(name, "SIGSTOP");
  try {
    await until(() => restarted().length >= ours.length, RESTARTED_MS);
    expect(restarted().sort()).toEqual([...ours].sort());
  } finally {
    for (const name of ["mongo", "redis"]) signal(name, "SIGCONT");
  }
  const isHealthy = async () => (await fetch(`${stack.url}/healthz`).catch(() => undefined))?.ok ?? false;
  expect(await until(isHealthy, RESTARTED_MS)).toBe(true);
}, 180_000);
