import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logProgress } from "@messageoh/stack/command/progress";
import { startMongo } from "@messageoh/stack/dependencies/mongo";
import { startRedis } from "@messageoh/stack/dependencies/redis";
import { freePort } from "@messageoh/stack/ports";
import { Supervisor } from "@messageoh/stack/processes/supervisor";

/**
 * Datastores for tests, empty at the start; `stop` removes them. Tests that run at the same time need a Redis each,
 * because they publish on the same channels.
 */
export type TestDatastores = { mongoUrl: string; redisUrls: string[]; stop: () => Promise<void> };

/**
 * Returns existing datastores from the environment, or starts containers, or local processes if Docker does not work.
 * With `REDIS_NODES`, each Redis is a cluster of that many local nodes.
 * @param redisCount number of Redis servers or clusters to start
 */
export async function startTestDatastores(redisCount: number): Promise<TestDatastores> {
  const mongoUrl = process.env.TEST_MONGO_URL || process.env.MONGO_URL;
  const redisUrls = process.env.TEST_REDIS_URLS || process.env.REDIS_URL;
  if (mongoUrl && redisUrls) return { mongoUrl, redisUrls: redisUrls.split(" "), stop: async () => {} };
  const nodes = Number(process.env.REDIS_NODES || 1);
  if (nodes > 1 || (!process.env.DOCKER_HOST && !existsSync("/var/run/docker.sock")))
    return startLocally(redisCount, nodes);
  try {
    return await startContainers(redisCount);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    logProgress(`Docker cannot run the datastores (${reason}): starting local processes`);
    return startLocally(redisCount, nodes);
  }
}

async function startLocally(redisCount: number, nodes: number): Promise<TestDatastores> {
  const dataDir = await mkdtemp(join(tmpdir(), "messageoh-test-"));
  const supervisors = Array.from({ length: redisCount }, (_, index) => new Supervisor(join(dataDir, String(index))));
  const contexts = supervisors.map((supervisor) => ({
    supervisor,
    dataDir: supervisor.dir,
    portFor: () => freePort(),
  }));
  const stop = async (): Promise<void> => {
    await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const [mongo, ...redisUrls] = await Promise.all([
      startMongo(contexts[0] as (typeof contexts)[number]),
      ...contexts.map((context) => startRedis(context, { nodes })),
    ]);
    return { mongoUrl: mongo.operator, redisUrls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startContainers(redisCount: number): Promise<TestDatastores> {
  const { GenericContainer } = await import("testcontainers");
  const startRedisContainer = () => new GenericContainer("redis:8").withExposedPorts(6379).start();
  const redis = await startRedisContainer().catch((error: Error) => {
    // The cleanup image of testcontainers may be missing although the other images exist.
    if (process.env.TESTCONTAINERS_RYUK_DISABLED) throw error;
    process.env.TESTCONTAINERS_RYUK_DISABLED = "true";
    return startRedisContainer();
  });
  const more = await Promise.all(Array.from({ length: redisCount - 1 }, startRedisContainer));
  const redisServers = [redis, ...more];
  const asMember = ["mongod", "--replSet", "rs0", "--bind_ip_all"];
  const mongo = await new GenericContainer("mongo:8").withExposedPorts(27017).withCommand(asMember).start();
  const stop = async (): Promise<void> => {
    await Promise.all([...redisServers, mongo].map((container) => container.stop()));
  };
  const initiate = 'rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "localhost:27017" }] })';
  const script = `${initiate}; while (!db.hello().isWritablePrimary) sleep(50)`;
  const { exitCode, output } = await mongo.exec(["mongosh", "--quiet", "--eval", script]);
  if (exitCode !== 0) {
    await stop();
    throw new Error(output);
  }
  logProgress("MongoDB and Redis: containers mongo:8 and redis:8");
  return {
    mongoUrl: `mongodb://${mongo.getHost()}:${mongo.getMappedPort(27017)}/?directConnection=true`,
    redisUrls: redisServers.map((server) => `redis://${server.getHost()}:${server.getMappedPort(6379)}`),
    stop,
  };
}
