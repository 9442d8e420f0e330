import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { makeCertificate } from "@messageoh/stack/certificate";
import { logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { freePort } from "@messageoh/stack/ports";
import { STAGE } from "@messageoh/stack/processes/part";
import type { Supervisor } from "@messageoh/stack/processes/supervisor";
import { respondsOk } from "@messageoh/stack/services";
import type { Cluster } from "./cluster.ts";
import { PARTS, TAG } from "./images.ts";

export const DEPLOYMENTS = ["gateway", "svc-users", "svc-messages", "svc-realtime", "svc-media"];

const root = repoRoot();
/** A small machine has less CPU than the replicas of the manifests request. */
const SMALL_REQUESTS = replace("/spec/template/spec/containers/0/resources/requests/cpu", "20m");
/** Many test clusters have no volumes that several nodes can mount. */
const ONE_NODE = replace("/spec/accessModes", ["ReadWriteOnce"]);

/** The test has no S3 server and sends no files. */
const WITHOUT_S3 = JSON.stringify([
  { op: "remove", path: "/spec/template/spec/containers/0/envFrom" },
  { op: "add", path: "/spec/template/spec/containers/0/env/-", value: { name: "MEDIA_DIR", value: "/tmp/media" } },
]);

function replace(path: string, value: unknown): string {
  return JSON.stringify([{ op: "replace", path, value }]);
}

/** An overlay of `deploy/kubernetes/base` for this namespace. Kustomize reads files of the repository only. */
export class Overlay {
  readonly #cluster: Cluster;
  readonly dir: string;
  readonly #tags = new Map(PARTS.map((part) => [part, TAG]));

  private constructor(cluster: Cluster, dir: string) {
    this.#cluster = cluster;
    this.dir = dir;
  }

  static async create(cluster: Cluster): Promise<Overlay> {
    await mkdir(join(root, ".data"), { recursive: true });
    const dir = await mkdtemp(join(root, ".data/kubernetes-"));
    const upstreams = await readFile(join(root, "gateway/kubernetes/upstreams.conf"), "utf8");
    await writeFile(join(dir, "upstreams.conf"), upstreams.replaceAll(".messageoh.svc.", `.${cluster.namespace}.svc.`));
    return new Overlay(cluster, dir);
  }

  /** Applies the manifests, with other images from now on if `tags` names some. */
  async apply(tags: Record<string, string> = {}): Promise<void> {
    for (const [part, tag] of Object.entries(tags)) this.#tags.set(part, tag);
    const folders = ["deploy/kubernetes/base", "tools/src/kubernetes/test/datastores"];
    const kustomization = {
      namespace: this.#cluster.namespace,
      resources: folders.map((folder) => relative(this.dir, join(root, folder))),
      images: [...this.#tags].map(([part, newTag]) => ({ name: `messageoh/${part}`, newTag })),
      configMapGenerator: [
        { name: "gateway-upstreams", behavior: "merge", files: ["upstreams.conf"] },
        { name: "storage", behavior: "merge", literals: ["S3_URL="] },
      ],
      patches: [
        { target: { kind: "(Deployment|Job)" }, patch: SMALL_REQUESTS },
        { target: { kind: "Deployment", name: "svc-media" }, patch: WITHOUT_S3 },
        { target: { kind: "PersistentVolumeClaim" }, patch: ONE_NODE },
      ],
    };
    // JSON is YAML.
    await writeFile(join(this.dir, "kustomization.yaml"), JSON.stringify(kustomization));
    await this.#cluster.kubectl(["apply", "--kustomize", this.dir]);
  }

  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}

/** Creates the namespace and the secrets that `deploy/kubernetes/README.md` names, and those of the datastores. */
export async function createSecrets(cluster: Cluster, dir: string): Promise<void> {
  const secret = () => randomBytes(32).toString("hex");
  const [users, messages, media, redis] = [secret(), secret(), secret(), secret()];
  const mongo = (user: string, password: string) =>
    `mongodb://${user}:${password}@mongo:27017/?replicaSet=rs0&authSource=admin`;
  const create = (name: string, values: Record<string, string>) => {
    const manifest = { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: values };
    // Not as arguments, because every user can read a command line.
    return cluster.kubectl(["create", "--filename=-"], JSON.stringify(manifest));
  };
  await cluster.kubectl(["create", "namespace", cluster.namespace]);
  await create("messageoh", {
    "users-mongo-url": mongo("svc-users", users),
    "messages-mongo-url": mongo("svc-messages", messages),
    "media-mongo-url": mongo("svc-media", media),
    "redis-url": `redis://:${redis}@redis:6379`,
    "internal-secret": secret(),
    "vapid-private-key": secret(),
    "s3-access-key": "none",
    "s3-secret-key": secret(),
  });
  await create("datastores", {
    MONGO_ROOT_PASSWORD: secret(),
    MONGO_USERS_PASSWORD: users,
    MONGO_MESSAGES_PASSWORD: messages,
    MONGO_MEDIA_PASSWORD: media,
    MONGO_REPLICA_KEY: secret(),
    REDIS_PASSWORD: redis,
  });
  const tls = await makeCertificate(dir);
  await cluster.kubectl(["create", "secret", "tls", "gateway-tls", `--cert=${tls.certificate}`, `--key=${tls.key}`]);
  await cluster.kubectl(["create", "configmap", "mongo-scripts", `--from-file=${join(root, "deploy/mongo")}`]);
}

/** Waits until everything runs. */
export async function waitForInstallation(cluster: Cluster): Promise<void> {
  logProgress("waiting for MongoDB and Redis");
  for (const name of ["mongo", "redis"]) await cluster.rolledOut(name);
  logProgress("waiting for the jobs");
  await cluster.kubectl(["wait", "--for=condition=complete", "job", "--all", "--timeout=300s"]);
  logProgress("waiting for the deployments");
  for (const name of ["entrance", ...DEPLOYMENTS]) await cluster.rolledOut(name);
}

/** Forwards a loopback port to the gateway and returns its URL. It ends with the supervisor. */
export async function openEntrance(cluster: Cluster, supervisor: Supervisor): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await supervisor.start({
    name: "port-forward",
    command: "kubectl",
    args: [...cluster.scope, "port-forward", "deployment/entrance", `${port}:8080`],
    port,
    stage: STAGE.gateway,
    ready: () => respondsOk(`${url}/livez`),
  });
  return url;
}
