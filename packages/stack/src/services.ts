import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheDir } from "@messageoh/cli/cache";
import type { MongoUrls } from "./dependencies/mongo.ts";
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
};

/** Unset, because a service rejects a setting that has both a value and a file. */
const NOT_FROM_FILES = { MONGO_URL_FILE: undefined, REDIS_URL_FILE: undefined, INTERNAL_SECRET_FILE: undefined };

type ServiceParts = { users: Part[]; messages: Part[]; realtime: Part[] };

/** Returns the parts of the three services, with each other's addresses in their environments. */
export async function serviceParts(context: ServiceContext, messages: number, realtime: number): Promise<ServiceParts> {
  const { mongoUrls } = context;
  const users = await servicePart(context, "svc-users", "svc-users", STAGE.users, {
    MONGO_URL: mongoUrls["svc-users"],
    // Each bcrypt hash occupies a thread of this pool for 0.25 s; file access and DNS use the pool too.
    UV_THREADPOOL_SIZE: String(4 + Number(process.env.HASHES_AT_ONCE ?? availableParallelism())),
  });
  const usersUrl = url(users);
  const messagesParts = await Promise.all(
    range(messages).map((n) => {
      const name = n === 1 ? "svc-messages" : `svc-messages-${n}`;
      const env = { MONGO_URL: mongoUrls["svc-messages"], USERS_URL: usersUrl };
      return servicePart(context, "svc-messages", name, STAGE.messages, env);
    }),
  );
  const messagesUrl = pathToFileURL(join(context.dataDir, "processes.json")).href;
  const realtimeParts = await Promise.all(
    range(realtime).map((n) => {
      const env = { USERS_URL: usersUrl, MESSAGES_URL: messagesUrl };
      return servicePart(context, "svc-realtime", `svc-realtime-${n}`, STAGE.realtime, env);
    }),
  );
  return { users: [users], messages: messagesParts, realtime: realtimeParts };
}

async function servicePart(
  context: ServiceContext,
  folder: string,
  name: string,
  stage: number,
  env: Record<string, string>,
): Promise<Part> {
  const port = await context.portFor(name);
  const { scripts } = JSON.parse(await readFile(join(context.root, folder, "package.json"), "utf8"));
  return {
    name,
    command: process.execPath,
    // The start script without `node`. Through npm, signals would not reach the service.
    args: scripts.start.split(" ").slice(1),
    cwd: join(context.root, folder),
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
    },
    port,
    stage,
    ready: () => respondsOk(`http://127.0.0.1:${port}/readyz`),
  };
}

/** Returns whether a GET returns status 200 within two seconds. */
export function respondsOk(address: string, headers: Record<string, string> = {}): Promise<boolean> {
  return new Promise((resolve) => {
    // The gateway's certificate is rarely valid for a loopback address.
    const options = { timeout: 2_000, agent: false, rejectUnauthorized: false, headers };
    const request = (address.startsWith("https:") ? https : http).get(address, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}

const url = (part: Part): string => `http://127.0.0.1:${part.port}`;
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
