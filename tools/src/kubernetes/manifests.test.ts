import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { BUSY_MAX, PARTS, type Part } from "../../../system-tests/capacity/costs.ts";
import { kustomize } from "./kustomize.ts";
import { checkManifests, type Manifest } from "./schema.ts";

type Container = {
  name: string;
  image: string;
  env?: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  resources: { limits: { memory: string } };
  securityContext: object;
};
type Pod = { securityContext: object; containers: Container[]; volumes?: object[] };
type Workload = Manifest & { spec: { replicas?: number; template: { metadata: { labels: object }; spec: Pod } } };
type Metric = { target: { averageValue: string } };
type Scaler = Manifest & {
  spec: {
    scaleTargetRef: object;
    metrics: { pods?: Metric & { metric: { name: string } }; resource?: Metric & { name: string } }[];
  };
};

const root = repoRoot();
const example = join(root, "deploy/kubernetes/overlays/example");
let manifests: Manifest[];
let workloads: Workload[];

beforeAll(async () => {
  manifests = parse(await kustomize(example));
  workloads = manifests.filter((manifest): manifest is Workload => ["Deployment", "Job"].includes(manifest.kind));
}, 120_000);

const parse = (text: string): Manifest[] => parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const gatewayCosts = () => PARTS.find(({ name }) => name === "gateway") ?? ({} as Partial<Part>);
const named = (kind: string): string[] =>
  manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);

it("renders objects that match their schemas and have no unknown keys", async () => {
  expect(manifests.length).toBeGreaterThan(20);
  await checkManifests(root, manifests);
}, 60_000);

it("reports unknown keys and invalid values", async () => {
  const budget = manifests.find(({ kind }) => kind === "PodDisruptionBudget") as Manifest & { spec: object };
  const misspelt = { ...budget, spec: { ...budget.spec, maxUnavailible: 1 } } as Manifest;
  await expect(checkManifests(root, [misspelt])).rejects.toThrow("maxUnavailible");
  const scaler = manifests.find(({ kind }) => kind === "HorizontalPodAutoscaler") as Manifest & { spec: object };
  const strange = { ...scaler, spec: { ...scaler.spec, maxReplicas: 1.5 } } as Manifest;
  await expect(checkManifests(root, [strange])).rejects.toThrow("maxReplicas");
}, 60_000);

it("runs every image of docker-compose.yml and no other", async () => {
  const compose = parseYaml(await readFile(join(root, "docker-compose.yml"), "utf8"), { merge: true });
  const built = Object.keys(compose.services).filter(
    (name) => compose.services[name].build && !compose.services[name].profiles,
  );
  const images = workloads.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image));
  expect(images.map((image) => image.replace(/^.*\/|:.*$/g, "")).sort()).toEqual(built.sort());
});

it("runs containers without root, capabilities or a writable file system", () => {
  for (const { spec } of workloads) {
    const { securityContext, containers } = spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  }
});

it("passes every required setting to each service", async () => {
  for (const service of ["svc-users", "svc-messages", "svc-realtime", "svc-media"]) {
    const config = await readFile(join(root, service, "src/config.ts"), "utf8");
    // Schemas without a default.
    const required = config.matchAll(/^ +(\w+): v\.pipe\(\s*(?:nonEmpty|url|urlList),/gm);
    const wanted = [...required].map(([, name]) => name);
    expect(wanted).not.toEqual([]);
    const [container] =
      workloads.find(({ metadata }) => metadata.name === service)?.spec.template.spec.containers ?? [];
    const given = container?.env?.map(({ name }) => name) ?? [];
    expect(given).toEqual(expect.arrayContaining([...wanted, "REDIS_URL", "INTERNAL_SECRET"]));
  }
});

it("serves plain HTTP to the ingress only and sets the public origin", async () => {
  const overlay = parse(await kustomize(join(root, "deploy/kubernetes/overlays/ingress")));
  await checkManifests(root, overlay);
  const find = (kind: string) =>
    overlay.find((manifest) => manifest.kind === kind && manifest.metadata.name.startsWith("gateway"));
  const { containers, ...pod } = (find("Deployment") as Workload).spec.template.spec;
  expect(containers[0]).toMatchObject({
    env: [
      { name: "PUBLIC_ORIGIN", value: "https://chat.example.com" },
      { name: "TRUSTED_PROXIES", value: expect.stringMatching(/^[\d./]+$/) },
      { name: "S3_URL" },
    ],
    ports: [{ name: "http", containerPort: 8080 }],
    readinessProbe: { httpGet: { path: "/livez", port: "http", scheme: "HTTP" } },
  });
  expect(JSON.stringify([containers, pod])).not.toContain("gateway-tls");
  expect(find("ConfigMap")).toMatchObject({ data: { "listen.conf": "listen 8080;\n" } });
  expect(find("Service")).toMatchObject({
    spec: { type: "ClusterIP", ports: [{ name: "http", port: 80, targetPort: "http" }] },
  });
  expect(find("NetworkPolicy")).toMatchObject({
    spec: { ingress: [{ from: [expect.anything()], ports: [{ protocol: "TCP", port: "http" }] }] },
  });
  const { usersMax = 0, kbPerUser = 0 } = gatewayCosts();
  const memory = {
    resource: { name: "memory", target: { averageValue: `${Math.floor((usersMax * kbPerUser) / 1e3)}M` } },
  };
  expect(find("HorizontalPodAutoscaler")).toMatchObject({ spec: { metrics: [expect.anything(), memory] } });
}, 120_000);

it("adds a Redis Cluster of three nodes with a replica each", async () => {
  const overlay = parse(await kustomize(join(root, "deploy/kubernetes/overlays/redis-cluster")));
  await checkManifests(root, overlay);
  const added = overlay.filter(({ metadata }) => metadata.name.startsWith("redis"));
  expect(added.map(({ kind }) => kind).sort()).toEqual(
    ["ConfigMap", "NetworkPolicy", "PodDisruptionBudget", "Service", "StatefulSet"].sort(),
  );
  const set = added.find(({ kind }) => kind === "StatefulSet") as Workload & { spec: { serviceName: string } };
  const { securityContext, containers } = set.spec.template.spec;
  const nodes = Array.from({ length: set.spec.replicas ?? 0 }, (_, index) => `redis-${index}.${set.spec.serviceName}`);
  expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  expect(containers).toEqual([
    expect.objectContaining({
      env: [
        { name: "REDIS_NODES", value: nodes.join(" ") },
        { name: "REDIS_REPLICAS", value: String(nodes.length / 3 - 1) },
        { name: "REDIS_PASSWORD", valueFrom: { secretKeyRef: { name: "messageoh", key: "redis-password" } } },
      ],
      securityContext: expect.objectContaining({ readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } }),
    }),
  ]);
}, 120_000);

it("references secrets and contains none", () => {
  expect(named("Secret")).toEqual([]);
  const settings = workloads.flatMap(({ spec }) => spec.template.spec.containers.flatMap(({ env = [] }) => env));
  for (const { name, valueFrom } of settings) {
    if (/SECRET|PRIVATE_KEY|MONGO_URL|REDIS_URL|S3_ACCESS_KEY|S3_SECRET_KEY/.test(name))
      expect(valueFrom?.secretKeyRef?.name).toBe("messageoh");
  }
});

it("scales every deployment at the load that the capacity model plans for a unit, and sets no number of replicas", () => {
  const scalers = manifests.filter((manifest): manifest is Scaler => manifest.kind === "HorizontalPodAutoscaler");
  expect(scalers.map(({ metadata }) => metadata.name).sort()).toEqual(named("Deployment").sort());
  for (const { metadata, spec } of scalers) {
    const deployment = workloads.find((workload) => workload.metadata.name === metadata.name);
    expect(deployment?.spec.replicas).toBeUndefined();
    expect(spec.scaleTargetRef).toEqual({ apiVersion: "apps/v1", kind: "Deployment", name: metadata.name });
    const { cores = 1, usersMax = 0, kbPerUserWithTls = 0 } = PARTS.find(({ name }) => name === metadata.name) ?? {};
    const metrics = spec.metrics.map(({ pods, resource }) => [
      pods?.metric.name ?? resource?.name,
      (pods ?? resource)?.target.averageValue,
    ]);
    expect(Object.fromEntries(metrics)).toEqual({
      cpu: `${1_000 * cores * BUSY_MAX}m`,
      ...(metadata.name === "svc-realtime" && { messageoh_realtime_sockets: String(usersMax) }),
      ...(metadata.name === "gateway" && { memory: `${Math.floor((usersMax * kbPerUserWithTls) / 1_000)}M` }),
    });
  }
});

it("gives the gateway memory for all connections that nginx accepts, two of which a socket takes, with TLS", async () => {
  const nginx = await readFile(join(root, "gateway/conf/nginx.conf"), "utf8");
  const setting = (name: string) => Number(new RegExp(`^ *${name} (\\d+);`, "m").exec(nginx)?.[1]);
  const sockets = (setting("worker_processes") * setting("worker_connections")) / 2;
  const { baseMb = 0, kbPerUserWithTls = 0 } = gatewayCosts();
  const needed = baseMb * 1e6 + sockets * kbPerUserWithTls * 1e3;
  expect(needed).toBeGreaterThan(1e9);
  const compose = parseYaml(await readFile(join(root, "docker-compose.yml"), "utf8"), { merge: true });
  const pod = workloads.find(({ metadata }) => metadata.name === "gateway")?.spec.template.spec;
  for (const limit of [pod?.containers[0]?.resources.limits.memory, compose.services.gateway.mem_limit]) {
    expect(limit).toMatch(/^\d+(?:Mi|m)$/);
    expect(Number.parseInt(limit, 10) * 2 ** 20).toBeGreaterThan(needed);
  }
});

it("lets the services reach Redis, also with TLS, and Sentinels at the ports that are usual for them", () => {
  const policy = manifests.find(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === "services");
  const ports = [6379, 6380, 26379].map((port) => ({ protocol: "TCP", port }));
  expect(policy).toMatchObject({ spec: { egress: expect.arrayContaining([{ ports }]) } });
});

it("has space for the responses of 16 MB that slow clients of an address have not read, on the node's disk", () => {
  const gateway = workloads.find(({ metadata }) => metadata.name === "gateway");
  expect(gateway?.spec.template.spec.volumes).toContainEqual({ name: "tmp", emptyDir: { sizeLimit: "4Gi" } });
});

it("has a disruption budget for every deployment", () => {
  expect(named("PodDisruptionBudget").sort()).toEqual(named("Deployment").sort());
});

it("defines every host of the gateway as a service", async () => {
  const upstreams = await readFile(join(root, "gateway/kubernetes/upstreams.conf"), "utf8");
  const hosts = [...upstreams.matchAll(/([\w-]+)\.messageoh\.svc\.cluster\.local:3000/g)].map(([, name]) => name);
  expect(new Set(hosts).size).toBe(5);
  for (const host of hosts) expect(named("Service")).toContain(host);
});
