import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheDir } from "./command/cache.ts";
import { repoRoot } from "./command/root.ts";
import type { MongoUrls } from "./dependencies/mongo.ts";
import type { S3Settings } from "./dependencies/s3.ts";
import { keepKey } from "./dependencies/secrets.ts";
import { type Part, STAGE } from "./processes/part.ts";
import { RAISED_LIMITS } from "./raisedLimits.ts";

/** Input of the services' settings. */
type ServiceContext = {
  root: string;
  mongoUrls: Pick<MongoUrls, "svc-users" | "svc-messages" | "svc-media">;
  redisUrl: string;
  secret: string;
  /** Contains processes.json, from which svc-realtime and svc-media discover the svc-messages instances. */
  dataDir: string;
  /** The S3 server that stores the files of messages, instead of the folder. */
  s3?: S3Settings | undefined;
  raisesLimits: boolean;
  portFor: (name: string) => Promise<number>;
  /** Returns further variables of a service that calls these parts. */
  linkEnvironment?: (from: string, peers: readonly Peer[]) => Promise<NodeJS.ProcessEnv>;
  /** Spreads the connections to a port over the instances of a service, if there are several. */
  balance?: (instances: readonly Peer[], port: number) => Promise<void>;
};
/** A part that another part calls. */
export type Peer = { name: string; port: number };
/** Number of instances of each service. */
export type Instances = { users: number; messages: number; realtime: number; media: number };

/** Unset, because a service rejects a setting that has both a value and a file. */
const NOT_FROM_FILES = {
  MONGO_URL_FILE: undefined,
  REDIS_URL_FILE: undefined,
  INTERNAL_SECRET_FILE: undefined,
  S3_ACCESS_KEY_FILE: undefined,
  S3_SECRET_KEY_FILE: undefined,
};

/** Long, because a busy service is not frozen. */
const ALIVE_TIMEOUT_MS = 10_000;

type ServiceParts = Record<keyof Instances, Part[]>;

/** Returns the folder of the files of messages. */
export const mediaDirOf = (dataDir: string): string => join(dataDir, "media");

/** Returns the parts of the services, with each other's addresses in their environments. */
export async function serviceParts(context: ServiceContext, instances: Instances): Promise<ServiceParts> {
  const { mongoUrls, s3, balance, portFor } = context;
  const placesOf = (names: string[]): Promise<Peer[]> =>
    Promise.all(names.map(async (name) => ({ name, port: await portFor(name) })));
  const places = {
    users: await placesOf(numbered("svc-users", instances.users)),
    messages: await placesOf(numbered("svc-messages", instances.messages)),
    realtime: await placesOf(range(instances.realtime).map((n) => `svc-realtime-${n}`)),
    media: await placesOf(numbered("svc-media", instances.media)),
  };
  /** Returns where the others reach a service. */
  const entryOf = async (service: "users" | "media"): Promise<Peer> => {
    const [first] = places[service];
    if (!first) throw new Error(`A stack needs an instance of svc-${service}`);
    const isBalanced = balance !== undefined && places[service].length > 1;
    return { name: first.name, port: isBalanced ? await portFor(`${service}-balancer`) : first.port };
  };
  const users = await entryOf("users");
  const media = await entryOf("media");
  const USERS_URL = urlOf(users);
  const MESSAGES_URL = pathToFileURL(join(context.dataDir, "processes.json")).href;
  const partsOf = (
    service: keyof Instances,
    stage: number,
    env: NodeJS.ProcessEnv,
    peers: Peer[] = [],
  ): Promise<Part[]> =>
    Promise.all(places[service].map((place) => servicePart(context, `svc-${service}`, place, stage, env, peers)));
  const parts = {
    users: await partsOf("users", STAGE.users, {
      MONGO_URL: mongoUrls["svc-users"],
      // Kept, because a browser's subscription is bound to the key.
      ...(process.env.VAPID_PRIVATE_KEY_FILE
        ? {}
        : { VAPID_PRIVATE_KEY: process.env.VAPID_PRIVATE_KEY ?? keepKey(context.dataDir, "vapid.key").key }),
      // Each bcrypt hash occupies a thread of this pool for 0.25 s; file access and DNS use the pool too.
      UV_THREADPOOL_SIZE: String(4 + Number(process.env.HASHES_AT_ONCE ?? availableParallelism())),
    }),
    messages: await partsOf(
      "messages",
      STAGE.messages,
      { MONGO_URL: mongoUrls["svc-messages"], USERS_URL, MEDIA_URL: urlOf(media) },
      [users, media],
    ),
    realtime: await partsOf("realtime", STAGE.realtime, { USERS_URL, MESSAGES_URL }, [users, ...places.messages]),
    media: await partsOf(
      "media",
      STAGE.media,
      {
        MONGO_URL: mongoUrls["svc-media"],
        USERS_URL,
        MESSAGES_URL,
        MEDIA_DIR: mediaDirOf(context.dataDir),
        // Several arenas would keep the memory of each part of an upload.
        MALLOC_ARENA_MAX: "1",
        S3_URL: s3?.url,
        S3_ACCESS_KEY: s3?.accessKey,
        S3_SECRET_KEY: s3?.secretKey,
      },
      [users, ...places.messages],
    ),
  };
  if (users.port !== places.users[0]?.port) await balance?.(places.users, users.port);
  if (media.port !== places.media[0]?.port) await balance?.(places.media, media.port);
  return parts;
}

async function servicePart(
  context: ServiceContext,
  folder: string,
  { name, port }: Peer,
  stage: number,
  env: NodeJS.ProcessEnv,
  peers: readonly Peer[],
): Promise<Part> {
  return {
    name,
    command: process.execPath,
    ...(await programOf(rootOf(context.root, folder), folder)),
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

/** Returns the checkout with a service: the previous release may lack it, and an upgrade begins with the new service. */
const rootOf = (root: string, folder: string): string => (existsSync(join(root, folder)) ? root : repoRoot());

/**
 * Returns how a checkout starts a service: the start script without `node`. Through npm, signals would not reach the
 * service.
 */
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

const urlOf = ({ port }: Peer): string => `http://127.0.0.1:${port}`;

/** Returns the names of the instances of a part; the first has no number. */
export const numbered = (service: string, count: number): string[] =>
  range(count).map((n) => (n === 1 ? service : `${service}-${n}`));
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
