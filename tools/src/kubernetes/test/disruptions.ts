import { strict as assert } from "node:assert";
import { logProgress } from "@messageoh/stack/command/progress";
import { until } from "@messageoh/stack/ports";
import type { World } from "../../../../system-tests/chaos/clients/world.ts";
import type { Check } from "../../testing/checks.ts";
import { type Cluster, isReady } from "./cluster.ts";
import { NEXT_TAG } from "./images.ts";
import { DEPLOYMENTS, type Overlay } from "./install.ts";

type Setting = { name: string; value: string };
const SECRET: Setting = { name: "INTERNAL_SECRET", value: "another secret of sufficient length" };
const REDIS: Setting = { name: "REDIS_URL", value: "redis://:wrong@redis:6379" };
const MONGO = "mongodb://svc-users:wrong@mongo:27017/?replicaSet=rs0&authSource=admin";
/** Settings with which new pods must not become ready. */
const BAD_SETTINGS: [deployment: string, setting: Setting][] = [
  ["gateway", { name: "PUBLIC_ORIGIN", value: "no origin" }],
  ["svc-users", { name: "MONGO_URL", value: MONGO }],
  ["svc-users", REDIS],
  ["svc-messages", SECRET],
  ["svc-realtime", SECRET],
  ["svc-realtime", REDIS],
];
/** Time in which a pod with a bad setting must not become ready; a good one takes about ten seconds. */
const BAD_MS = 30_000;
const SETTLE_MS = 180_000;

type Installation = { cluster: Cluster; overlay: Overlay; url: string; world: World; check: Check };

type Change = [name: string, change: (installation: Installation) => Promise<void>];

/** Every change that operators and machines make to an installation, by name. */
const CHANGES: Change[] = [
  ...DEPLOYMENTS.map((name): Change => [`${name} is restarted`, (on) => restart(on, name)]),
  ...DEPLOYMENTS.flatMap((name): Change[] => [
    [`a pod of ${name} is deleted`, (on) => deletePod(on, name, [])],
    [`a pod of ${name} is killed`, (on) => deletePod(on, name, ["--grace-period=0", "--force"])],
  ]),
  ["svc-realtime is scaled from 2 to 5 pods", (on) => scale(on, 5)],
  ["svc-realtime is scaled from 5 to 2 pods", (on) => scale(on, 2)],
  ...BAD_SETTINGS.map(
    ([name, setting]): Change => [
      `${name} gets a wrong ${setting.name}, which never becomes ready`,
      (on) => misconfigure(on, name, setting),
    ],
  ),
  ["mfe-chat is released by its job, and no other pod restarts", releaseFrontend],
];

/** Makes the changes whose names contain `only`, each as a check, and prints the slowest message sent meanwhile. */
export async function disrupt(installation: Installation, only: string): Promise<void> {
  const chosen = CHANGES.filter(([name]) => name.includes(only));
  assert(chosen.length > 0, `no change has "${only}" in its name`);
  for (const [name, change] of chosen) {
    const from = Date.now();
    await installation.check(name, () => change(installation));
    const to = Date.now();
    const sent = [...installation.world.ledger.sent.values()].filter(
      ({ sentAt, isGuaranteed }) => isGuaranteed && sentAt >= from && sentAt <= to,
    );
    const waits = sent.map(({ sentAt, arrivedAt = Date.now() }) => arrivedAt - sentAt);
    const seconds = Math.round((to - from) / 1_000);
    logProgress(`${seconds} s, ${sent.length} messages, the slowest arrived after ${Math.max(0, ...waits)} ms`);
  }
}

async function restart({ cluster }: Installation, deployment: string): Promise<void> {
  await cluster.kubectl(["rollout", "restart", `deployment/${deployment}`]);
  await cluster.rolledOut(deployment);
}

async function deletePod({ cluster }: Installation, deployment: string, options: string[]): Promise<void> {
  const [pod] = await cluster.pods(deployment);
  await cluster.kubectl(["delete", "pod", pod?.metadata.name ?? "", "--wait=true", ...options]);
  await cluster.rolledOut(deployment);
}

/** Scales through the bounds of the autoscaler, which would undo another change. They apply without metrics too. */
async function scale({ cluster, world }: Installation, pods: number): Promise<void> {
  const bounds = { spec: { minReplicas: pods, maxReplicas: pods } };
  await cluster.kubectl(["patch", "hpa", "svc-realtime", `--patch=${JSON.stringify(bounds)}`]);
  const isScaled = async () => {
    const running = await cluster.pods("svc-realtime");
    return running.length === pods && running.every(isReady);
  };
  assert(await until(isScaled, SETTLE_MS, 1_000), `${pods} pods are ready`);
  const isConnected = () => world.people.every((person) => person.isReady);
  assert(await until(isConnected, SETTLE_MS, 200), "everyone is connected");
}

async function misconfigure({ cluster }: Installation, deployment: string, setting: Setting): Promise<void> {
  const before = (await cluster.pods(deployment)).map(({ metadata }) => metadata.uid);
  const container = { name: deployment, env: [{ ...setting, valueFrom: null }] };
  const patch = { spec: { template: { spec: { containers: [container] } } } };
  await cluster.kubectl(["patch", `deployment/${deployment}`, `--patch=${JSON.stringify(patch)}`]);
  const added = async () => (await cluster.pods(deployment)).filter(({ metadata }) => !before.includes(metadata.uid));
  const isStarted = async () => (await added()).some(({ status }) => status.startTime !== undefined);
  assert(await until(isStarted, SETTLE_MS, 500), "a new pod starts");
  const becameReady = await until(async () => (await added()).some(isReady), BAD_MS, 1_000);
  const serving = (await cluster.pods(deployment)).filter(({ metadata }) => before.includes(metadata.uid));
  await cluster.kubectl(["rollout", "undo", `deployment/${deployment}`]);
  await cluster.rolledOut(deployment);
  assert(!becameReady, "the new pod became ready");
  assert.deepEqual(
    serving
      .filter(isReady)
      .map(({ metadata }) => metadata.uid)
      .sort(),
    before.sort(),
  );
}

async function releaseFrontend({ cluster, overlay, url }: Installation): Promise<void> {
  const live = async () =>
    ((await (await fetch(`${url}/mfe-chat/current.json`)).json()) as { release: string }).release;
  const running = async () => {
    const pods = (await cluster.pods()).filter(({ metadata }) => DEPLOYMENTS.includes(metadata.labels.app ?? ""));
    return pods.map(({ metadata, status }) => [metadata.name, status.containerStatuses?.[0]?.restartCount]).sort();
  };
  const [release, pods] = [await live(), await running()];
  await cluster.kubectl(["delete", "job", "release-mfe-chat", "--ignore-not-found"]);
  await overlay.apply({ "mfe-chat": NEXT_TAG });
  await cluster.kubectl(["wait", "--for=condition=complete", "job/release-mfe-chat", "--timeout=120s"]);
  assert(await until(async () => (await live()) !== release, 10_000, 200), "the gateways serve the new release");
  const page = await (await fetch(`${url}/`)).text();
  assert(page.includes(await live()), "the page names the new release");
  assert.deepEqual(await running(), pods);
}
