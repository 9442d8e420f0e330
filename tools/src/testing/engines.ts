import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMongo } from "../engines/mongo.ts";
import { startRedis } from "../engines/redis.ts";
import { freePort } from "../ports.ts";
import { Supervisor } from "../processes/supervisor.ts";
import { say } from "../say.ts";

/** MongoDB and Redis for tests, empty at the start and gone after `stop`. */
export type TestEngines = { mongoUrl: string; redisUrl: string; stop: () => Promise<void> };

/** Starts real engines: given ones, else containers where a Docker engine has the images, else local processes. */
export async function startTestEngines(): Promise<TestEngines> {
  const mongoUrl = process.env.TEST_MONGO_URL || process.env.MONGO_URL;
  const redisUrl = process.env.TEST_REDIS_URL || process.env.REDIS_URL;
  if (mongoUrl && redisUrl) return { mongoUrl, redisUrl, stop: async () => {} };
  if (!process.env.DOCKER_HOST && !existsSync("/var/run/docker.sock")) return startLocally();
  try {
    return await startContainers();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    say(`Docker cannot run the engines (${reason}): using local ones`);
    return startLocally();
  }
}

async function startLocally(): Promise<TestEngines> {
  const dataDir = await mkdtemp(join(tmpdir(), "messageoh-test-"));
  const supervisor = new Supervisor(dataDir);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const context = { supervisor, dataDir, portFor: () => freePort(), durable: false };
    const [mongo, redis] = await Promise.all([startMongo(context), startRedis(context)]);
    return { mongoUrl: mongo.url, redisUrl: redis.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startContainers(): Promise<TestEngines> {
  const { GenericContainer } = await import("testcontainers");
  const start = async (image: string, port: number) => {
    const container = await new GenericContainer(image).withExposedPorts(port).start();
    return { container, address: `${container.getHost()}:${container.getMappedPort(port)}` };
  };
  const redis = await start("redis:8", 6379).catch((error: Error) => {
    // The images may be there while the one that clears up after testcontainers is not to be had.
    if (process.env.TESTCONTAINERS_RYUK_DISABLED) throw error;
    process.env.TESTCONTAINERS_RYUK_DISABLED = "true";
    return start("redis:8", 6379);
  });
  const mongo = await start("mongo:8", 27017).catch(async (error: Error) => {
    await redis.container.stop();
    throw error;
  });
  say("MongoDB and Redis: containers mongo:8 and redis:8");
  return {
    mongoUrl: `mongodb://${mongo.address}`,
    redisUrl: `redis://${redis.address}`,
    stop: async () => {
      await Promise.all([redis.container.stop(), mongo.container.stop()]);
    },
  };
}
