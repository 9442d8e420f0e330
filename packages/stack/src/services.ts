import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheDir } from "./command/cache.ts";
import type { MongoUrls } from "./dependencies/mongo.ts";
import { keepKey } from "./dependencies/secrets.ts";
import { type Part, STAGE } from "./processes/part.ts";
import { RAISED_LIMITS } from "./raisedLimits.ts";

/** Input of the services' settings. */
export type ServiceContext = {
  root: string;
  mongoUrls: Pick<MongoUrls, "svc-users" | "svc-messages">;
  redisUrl: string;
  secret: string;
  /** Contains processes.json, from which svc-realtime discovers the svc-messages instances. */
  dataDir: string;
  raisesLimits: boolean;
  portFor: (name: string) => Promise<number>;
  /** Returns further variables of a service that calls these parts. */
  linkEnvironment?: (from: string, peers: readonly Peer[]) => Promise<NodeJS.ProcessEnv>;
  /** Returns the port that spreads the connections over instances of svc-users, if there are several. */
  balance?: (instances: readonly Part[]) => Promise<number>;
};
/** A part that another part calls. */
export type Peer = { name: string; port: number };
/** Number of instances of each service. */
export type Instances = { users: number; messages: number; realtime: number };

/** Unset, because a service rejects a setting that has both a value and a file. */
const NOT_FROM_FILES = {
  MONGO_URL_FILE: undefined,
  REDIS_URL_FILE: undefined,
  INTERNAL_SECRET_FILE: undefined,
};

/** Long, because a busy service is not frozen. */
const ALIVE_TIMEOUT_MS = 10_000;

type ServiceParts = { users: Part[]; messages: Part[]; realtime: Part[] };

/** Returns the parts of the three services, with each other's addresses in their environments. */
export async function serviceParts(context: ServiceContext, instances: Instances): Promise<ServiceParts> {
  const { mongoUrls } = context;
  const usersParts = await Promise.all(
    names("svc-users", instances.users).map((name) =>
      servicePart(context, "svc-users", name, STAGE.users, {
        MONGO_URL: mongoUrls["svc-users"],
        // Kept, because a browser's subscription is bound to the key.
        ...(process.env.VAPID_PRIVATE_KEY_FILE
          ? {}
          : { VAPID_PRIVATE_KEY: process.env.VAPID_PRIVATE_KEY ?? keepKey(context.dataDir, "vapid.key").key }),
        // Each bcrypt hash occupies a thread of this pool for 0.25 s; file access and DNS use the pool too.
        UV_THREADPOOL_SIZE: String(4 + Number(process.env.HASHES_AT_ONCE ?? availableParallelism())),
      }),
    ),
  );
  const [first] = usersParts;
  if (!first) throw new Error("A stack needs an instance of svc-users");
  const users = {
    name: "svc-users",
    port: (usersParts.length > 1 && (await context.balance?.(usersParts))) || first.port,
  };
  const usersUrl = `http://127.0.0.1:${users.port}`;
  const messagesParts = await Promise.all(
    names("svc-messages", instances.messages).map((name) => {
      const env = { MONGO_URL: mongoUrls["svc-messages"], USERS_URL: usersUrl };
      return servicePart(context, "svc-messages", name, STAGE.messages, env, [users]);
    }),
  );
  const messagesUrl = pathToFileURL(join(context.dataDir, "processes.json")).href;
  const realtimeParts = await Promise.all(
    range(instances.realtime).map((n) => {
      const env = { USERS_URL: usersUrl, MESSAGES_URL: messagesUrl };
      const name = `svc-realtime-${n}`;
      return servicePart(context, "svc-realtime", name, STAGE.realtime, env, [users, ...messagesParts]);
    }),
  );
  return { users: usersParts, messages: messagesParts, realtime: realtimeParts };
}

async function servicePart(
  context: ServiceContext,
  folder: string,
  name: string,
  stage: number,
  env: Record<string, string>,
  peers: readonly Peer[] = [],
): Promise<Part> {
  const port = await context.portFor(name);
  return {
    name,
    command: process.execPath,
    ...(await programOf(context.root, folder)),
    env: {
      NODE_ENV: "production",
      LOG_LEVEL: "info",
      NODE_COMPILE_CACHE: join(cacheDir(), "node"),
      ...(context.raisesLimits ? RAISED_LIMITS : {}),
      ...process.env,
      ...NOT_FROM_FILES,
      HOST: "127.0.0.1",
      PORT: String(port),
      INSTANCE: name,
      REDIS_URL: context.redisUrl,
      INTERNAL_SECRET: context.secret,
      ...env,
      ...(await context.linkEnvironment?.(name, peers)),
    },
    port,
    stage,
    ready: () => respondsOk(`http://127.0.0.1:${port}/readyz`),
    alive: () => respondsOk(`http://127.0.0.1:${port}/healthz`, {}, ALIVE_TIMEOUT_MS),
  };
}

/** Returns how a checkout starts a service: the start script without `node`. Through npm, signals would not reach the service. */
async function programOf(root: string, folder: string): Promise<Pick<Part, "args" | "cwd">> {
  const cwd = join(root, folder);
  const { scripts } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8"));
  return { args: scripts.start.split(" ").slice(1), cwd };
}

/** Returns the same instance of a service with the code of another checkout. */
export async function fromCheckout(part: Part, root: string): Promise<Part> {
  return { ...part, ...(await programOf(root, basename(part.cwd ?? ""))) };
}

/** Returns whether a GET returns status 200 in time. */
export function respondsOk(address: string, headers: Record<string, string> = {}, timeoutMs = 2_000): Promise<boolean> {
  return new Promise((resolve) => {
    // The gateway's certificate is rarely valid for a loopback address.
    const options = { timeout: timeoutMs, agent: false, rejectUnauthorized: false, headers };
    const request = (address.startsWith("https:") ? https : http).get(address, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}

/** Returns the names of the instances of a service; the first has no number. */
const names = (service: string, count: number): string[] =>
  range(count).map((n) => (n === 1 ? service : `${service}-${n}`));
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
