import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { type Db, MongoClient } from "mongodb";
import { until } from "../ports.ts";
import { type Part, STAGE } from "../processes/part.ts";
import type { DatastoreContext } from "./datastore.ts";
import { findMongod } from "./mongod.ts";
import { ensureUsers, MONGO_USERS, type MongoUser, mongoUrl } from "./mongoUsers.ts";
import { keepKey, writeSecret } from "./secrets.ts";

const REPLICA_SET = "rs0";
/** Names of the members of a replica set. */
export const MONGO_MEMBERS = ["mongo", "mongo-2", "mongo-3"];
const SETTINGS = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;
const PRIMARY_TIMEOUT_MS = 60_000;

/** Connection strings by user. Each is also in `DATA_DIR/secrets/USER.mongo-url`. */
export type MongoUrls = Record<MongoUser, string>;

/**
 * Starts MongoDB as a replica set that requires passwords, and resolves when it has a primary.
 * @param members how many members a new set gets; an existing one never shrinks
 */
export async function startMongo(context: DatastoreContext, members: 1 | 3 = 1): Promise<MongoUrls> {
  const { supervisor, dataDir, portFor } = context;
  const command = await findMongod();
  const { key, file: keyFile } = keepKey(dataDir, "mongod.key");
  const names = MONGO_MEMBERS.filter((name, index) => index < members || existsSync(memberDir(dataDir, name)));
  const parts = await Promise.all(
    names.map(async (name) => memberPart(command, name, await portFor(name), memberDir(dataDir, name), keyFile)),
  );
  await Promise.all(parts.map((part) => supervisor.start(part)));
  const hosts = parts.map(({ port }) => `127.0.0.1:${port}`);
  await formReplicaSet(hosts, key);
  const servers = `${hosts.join(",")}/?replicaSet=${REPLICA_SET}`;
  await withAdmin(mongoUrl("__system", key, servers), PRIMARY_TIMEOUT_MS, (admin) => ensureUsers(admin, key));
  const urls = MONGO_USERS.map((user) => [user, mongoUrl(user, key, servers)] as const);
  for (const [user, url] of urls) writeSecret(dataDir, `${user}.mongo-url`, url);
  return Object.fromEntries(urls) as MongoUrls;
}

/** Returns the data folder of a member. */
export const memberDir = (dataDir: string, name: string): string => join(dataDir, name.replace("mongo", "mongod"));

async function memberPart(command: string, name: string, port: number, dbpath: string, keyFile: string): Promise<Part> {
  await mkdir(dbpath, { recursive: true });
  return {
    name,
    command,
    args: [
      ...["--replSet", REPLICA_SET, "--dbpath", dbpath, "--port", String(port), "--bind_ip", "127.0.0.1"],
      // Without the second setting, every process on this machine could create the first user.
      ...["--keyFile", keyFile, "--setParameter", "enableLocalhostAuthBypass=false"],
      ...["--nounixsocket", "--wiredTigerCacheSizeGB", "0.5", "--oplogSize", "512"],
      // A stopping primary waits this long for a successor, but all members stop together.
      ...["--setParameter", "shutdownTimeoutMillisForSignaledShutdown=1000"],
    ],
    port,
    stage: STAGE.storage,
    graceMs: 20_000,
    ready: () =>
      withAdmin(direct(`127.0.0.1:${port}`), 1_000, (admin) => admin.command({ ping: 1 })).then(
        () => true,
        () => false,
      ),
  };
}

/** Initiates the set, or reconfigures it if ports or the number of members changed. */
async function formReplicaSet(hosts: string[], key: string): Promise<void> {
  const members = hosts.map((host, _id) => ({ _id, host }));
  const url = mongoUrl("__system", key, `${hosts[0]}/?directConnection=true`);
  await withAdmin(url, PRIMARY_TIMEOUT_MS, async (admin) => {
    const initiate = { replSetInitiate: { _id: REPLICA_SET, members, settings: SETTINGS } };
    if (!(await fails(admin, initiate, ALREADY_INITIALIZED))) return;
    // A member that has just started loads its configuration in the background.
    await until(async () => !(await fails(admin, { replSetGetConfig: 1 }, NOT_YET_INITIALIZED)), PRIMARY_TIMEOUT_MS);
    const { config } = await admin.command({ replSetGetConfig: 1 });
    if (config.members.map(({ host }: { host: string }) => host).join() === hosts.join()) return;
    // A member whose port changed belongs to no set and has no primary, so only a forced reconfiguration works.
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
  });
}

/** Runs a command and returns whether it failed with this code; throws other errors. */
async function fails(admin: Db, command: Record<string, unknown>, code: number): Promise<boolean> {
  try {
    await admin.command(command);
    return false;
  } catch (error) {
    if ((error as { code?: number }).code === code) return true;
    throw error;
  }
}

/** Returns whether the mongod on this loopback port is a primary; `false` if it does not respond. */
export function isPrimary(port: number): Promise<boolean> {
  return withAdmin(direct(`127.0.0.1:${port}`), 1_000, async (admin) => {
    const { isWritablePrimary } = await admin.command({ hello: 1 });
    return isWritablePrimary === true;
  }).catch(() => false);
}

/** Returns the member that is a primary, or `undefined` if none responds as one. */
export async function findPrimary<Member extends { port: number }>(
  members: readonly Member[],
): Promise<Member | undefined> {
  const states = await Promise.all(members.map(({ port }) => isPrimary(port)));
  return members[states.indexOf(true)];
}

/**
 * Connects `operator` to one member, or to the primary without a port.
 * @param url connection string of `operator`
 */
export function withMember<T>(url: string, port: number | undefined, work: (admin: Db) => Promise<T>): Promise<T> {
  const at = port ? url.replace(/@.*?&/, `@127.0.0.1:${port}/?directConnection=true&`) : url;
  return withAdmin(at, 10_000, work);
}

const direct = (host: string): string => `mongodb://${host}/?directConnection=true`;

async function withAdmin<T>(url: string, timeoutMs: number, work: (admin: Db) => Promise<T>): Promise<T> {
  // Without `os` the driver imports it dynamically, which jest does not support.
  const client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs, runtimeAdapters: { os } });
  try {
    return await work(client.db("admin"));
  } finally {
    await client.close();
  }
}
