import { join, resolve } from "node:path";
import { openBalancer } from "./balancer.ts";
import type { Command } from "./command/command.ts";
import { logProgress, PlainError } from "./command/progress.ts";
import { repoRoot } from "./command/root.ts";
import type { DatastoreContext } from "./dependencies/datastore.ts";
import { type MongoUrls, startMongo } from "./dependencies/mongo.ts";
import { findNginx } from "./dependencies/programs.ts";
import { type RedisShape, startRedis } from "./dependencies/redis.ts";
import { type S3Settings, startS3 } from "./dependencies/s3.ts";
import { type GatewayOptions, gatewayPart, renderGateway } from "./gateway.ts";
import { freePort, isPortFree, until } from "./ports.ts";
import type { Part, ProcessEntry } from "./processes/part.ts";
import { Supervisor } from "./processes/supervisor.ts";
import { buildFrontends } from "./releases/build.ts";
import { publishFrontends } from "./releases/publish.ts";
import { fromCheckout, mediaDirOf, numbered, type Peer, respondsOk, serviceParts } from "./services.ts";
import { StackFile } from "./stackFile.ts";
import { StackLock } from "./stackLock.ts";

const HEALTHY_TIMEOUT_MS = 60_000;

/** Proxies that a test puts between the parts of a stack. */
export type StackLinks = {
  /** Opens a proxy and returns the port at which `from` reaches `to`, which listens on `port`. */
  open: (from: string, to: string, port: number) => Promise<number>;
  /** Returns the environment that sends the connections of a service to other parts through proxies. */
  environment: (dataDir: string, from: string, targets: readonly Peer[]) => Promise<NodeJS.ProcessEnv>;
};

export type StackOptions = GatewayOptions & {
  dataDir: string;
  /** The gateway's port (default: a free one). */
  port?: number;
  usersInstances?: number;
  realtimeInstances?: number;
  messagesInstances?: number;
  mediaInstances?: number;
  gatewayInstances?: number;
  /** Existing servers, which replace those of the stack. */
  mongoUrl?: string;
  redisUrl?: string;
  /** The S3 server that stores the files of messages, or `own` for one of the stack; a folder by default. */
  s3?: S3Settings | "own" | undefined;
  /** Members of the stack's own MongoDB replica set (default: 1). */
  mongoMembers?: 1 | 3;
  /** Nodes and replicas of the stack's own Redis. */
  redis?: RedisShape;
  /** Raises the rate limits: see raisedLimits.ts. */
  raisesLimits?: boolean;
  /** Runs without the front ends, for clients that only use the API (default: false). */
  withoutFrontends?: boolean;
  /**
   * Sends every connection between two parts through a proxy. Members of a replica set connect to each other directly.
   */
  links?: StackLinks;
  /** Checkout whose services and gateway run (default: this one). */
  root?: string;
  /** Aborts the start. */
  signal?: AbortSignal;
};

/** A running product. */
export type Stack = {
  url: string;
  dataDir: string;
  /** Connection strings with full access. */
  mongoUrl: string;
  redisUrl: string;
  processes: () => ProcessEntry[];
  /**
   * Replaces an instance of a service, or the gateway's configuration, by that of another checkout, as an upgrade does.
   */
  replace: (name: string, root: string) => Promise<void>;
  stop: () => Promise<void>;
};

const PORT_CLASHES_MAX = 3;

/** Builds changed front ends and starts the whole product; resolves when the gateway reports all services ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  for (let clashes = 1; ; clashes += 1) {
    try {
      return await tryToStart(options);
    } catch (error) {
      // Another program may take a port between the check and the start of the part.
      const isPortClash = error instanceof Error && error.message.includes("EADDRINUSE");
      if (!isPortClash || clashes === PORT_CLASHES_MAX || options.signal?.aborted) throw error;
      logProgress("another program took a port: restarting with another port ...");
    }
  }
}

/** Starts the product in the folder of a command, whose end stops it, even while it starts. */
export function startStackFor(
  { dir, signal, atEnd }: Command,
  options: Omit<StackOptions, "dataDir"> = {},
): Promise<Stack> {
  const starting = startStack({ dataDir: dir, signal, ...options });
  atEnd(async () => (await starting.catch(() => undefined))?.stop());
  return starting;
}

async function tryToStart(options: StackOptions): Promise<Stack> {
  const dataDir = resolve(options.dataDir);
  const lock = await StackLock.take(dataDir);
  let supervisor: Supervisor | undefined;
  const onStop: (() => void)[] = [];
  const stop = async (): Promise<void> => {
    await supervisor?.stop();
    for (const close of onStop) close();
    lock.release();
  };
  try {
    const port = options.port ?? (await freePort());
    if (!(await isPortFree(port, options.host))) {
      throw new PlainError(`Port ${port} is taken. Set PORT to another one, or stop the program that listens on it.`);
    }
    supervisor = new Supervisor(dataDir);
    lock.addWatchdog(supervisor.watchdogPid);
    options.signal?.addEventListener("abort", () => void supervisor?.stop());
    const { replace, ...datastores } = await startParts({ ...options, dataDir, port }, supervisor, onStop);
    return {
      url: `${options.tls ? "https" : "http"}://localhost:${port}`,
      dataDir,
      ...datastores,
      processes: () => supervisor?.processes() ?? [],
      replace,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(options: StackOptions & { port: number }, supervisor: Supervisor, onStop: (() => void)[]) {
  const { dataDir, port, host, tls, publicOrigin } = options;
  const { usersInstances = 1, messagesInstances = 1, realtimeInstances = 2, raisesLimits = false, links } = options;
  const { mediaInstances = 1, gatewayInstances = 1, root = repoRoot() } = options;
  const stackFile = new StackFile(dataDir);
  const portFor = (name: string): Promise<number> => stackFile.portFor(name);
  const datastores: DatastoreContext = { supervisor, dataDir, portFor };
  const www = join(dataDir, "www");
  const [mongo, redis, s3, nginx] = await Promise.all([
    options.mongoUrl ? existingMongo(options.mongoUrl) : startMongo(datastores, options.mongoMembers),
    options.redisUrl ? existing("Redis", options.redisUrl) : startRedis(datastores, options.redis),
    options.s3 === "own" ? startS3(datastores) : options.s3,
    findNginx(),
    options.withoutFrontends ? undefined : buildFrontends(root, () => publishFrontends(root, www)),
  ]);
  const started = supervisor.processes();
  const context = {
    root,
    dataDir,
    mongoUrls: mongo,
    redisUrl: redis,
    s3,
    secret: stackFile.secret,
    raisesLimits,
    portFor,
    async balance(instances: readonly Peer[], at: number): Promise<void> {
      const ports = instances.map((instance) => instance.port);
      onStop.push(await openBalancer(ports, at));
    },
    linkEnvironment:
      links && ((from: string, peers: readonly Peer[]) => links.environment(dataDir, from, [...started, ...peers])),
  };
  const services = await serviceParts(context, {
    users: usersInstances,
    messages: messagesInstances,
    realtime: realtimeInstances,
    media: mediaInstances,
  });
  const behindGateway = (upstreams: Part[]) =>
    Promise.all(
      upstreams.map(async ({ name, port }) => ({
        name,
        port: links ? await links.open("gateway", name, port) : port,
      })),
    );
  const plan = {
    ...options,
    www,
    mediaDir: mediaDirOf(dataDir),
    s3Url: s3?.url,
    raisesLimits,
    users: await behindGateway(services.users),
    messages: await behindGateway(services.messages),
    realtime: await behindGateway(services.realtime),
    media: await behindGateway(services.media),
  };
  const gateways = await Promise.all(
    numbered("gateway", gatewayInstances).map(async (name) => ({
      name,
      dir: join(dataDir, name),
      ownPort: gatewayInstances > 1 ? await portFor(name) : undefined,
    })),
  );
  const gatewayParts = gateways.map(({ name, dir, ownPort = port }) => gatewayPart(nginx, dir, ownPort, name));
  const render = (from: string, { dir, ownPort }: (typeof gateways)[number]) =>
    renderGateway(from, dir, { ...plan, ownPort });
  await Promise.all(gateways.map((gateway) => render(root, gateway)));
  const parts = [...Object.values(services).flat(), ...gatewayParts];
  logProgress(`starting ${parts.map(({ name }) => name).join(", ")} ...`);
  await Promise.all(parts.map((part) => supervisor.start(part)));
  const healthz = `${tls ? "https" : "http"}://${host ?? "127.0.0.1"}:${port}/healthz`;
  // The gateway rejects requests for other hosts.
  const headers: Record<string, string> = publicOrigin ? { host: new URL(publicOrigin).host } : {};
  if (!(await until(() => respondsOk(healthz, headers), HEALTHY_TIMEOUT_MS))) {
    throw new PlainError(`The gateway does not report all services ready. See the logs in ${join(dataDir, "logs")}.`);
  }
  const replace = async (name: string, from: string): Promise<void> => {
    const gateway = gateways.find((each) => each.name === name);
    if (!gateway) return supervisor.replace(name, (part) => fromCheckout(part, from));
    await render(from, gateway);
    const nginxPid = supervisor.processes().find((part) => part.name === name)?.pid;
    if (nginxPid !== undefined) process.kill(nginxPid, "SIGHUP");
  };
  return { mongoUrl: mongo.operator, redisUrl: redis, replace };
}

async function existing(name: "MongoDB" | "Redis", url: string): Promise<string> {
  logProgress(`${name}: the existing server of ${name === "Redis" ? "REDIS_URL" : "MONGO_URL"}`);
  return url;
}

async function existingMongo(mongoUrl: string): Promise<MongoUrls> {
  const url = await existing("MongoDB", mongoUrl);
  return { "svc-users": url, "svc-messages": url, "svc-media": url, operator: url };
}
