import { constants } from "node:os";
import { listThreadsOfUsers, lookUpSessions } from "@messageoh/contracts/internal/users";
import { watchDependencies } from "@messageoh/service-kit/dependencies";
import { discover } from "@messageoh/service-kit/discovery";
import { followUsers } from "@messageoh/service-kit/followUsers";
import { internalClients } from "@messageoh/service-kit/internal";
import { ratesOf } from "@messageoh/service-kit/limitTable";
import { createLogger } from "@messageoh/service-kit/logger";
import { checkMongo, connectMongo } from "@messageoh/service-kit/mongo";
import { listInternalCalls, waitForPeers } from "@messageoh/service-kit/peers";
import { lowerPriority } from "@messageoh/service-kit/priority";
import { createPublicAddresses } from "@messageoh/service-kit/publicAddresses";
import { connectRedis } from "@messageoh/service-kit/redis";
import { waitForRedisLogin } from "@messageoh/service-kit/redisLogin";
import { closeServer, exitOnSignals, listen, shutDownInOrder } from "@messageoh/service-kit/run";
import { createCallMessages } from "./access/callMessages.ts";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { RATE_LIMITS } from "./rateLimits.ts";
import { createStorage, waitForStorage } from "./storage/createStorage.ts";

/** Longest time for one part of an upload, in milliseconds: 9 kB/s. The gateway closes connections that stall. */
const PART_MAX_MS = 600_000;
/** Time for parts that are under way at the end of the process, in milliseconds. */
const CLOSE_MAX_MS = 3_000;

exitOnSignals();
// Messages come first: a hundred megabytes of uploads keep a core busy for a second.
lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const config = readConfig();
const logger = createLogger(config.INSTANCE, config.LOG_LEVEL);
const storage = await createStorage(config).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

const redis = connectRedis(config.REDIS_URL, logger, config.INSTANCE);
const subscriber = connectRedis(config.REDIS_URL, logger, `${config.INSTANCE}-sub`);
const connection = await connectMongo(config.MONGO_URL, "media", logger);
const clientOf = internalClients(config.INTERNAL_SECRET, 3_000);
const callUsers = clientOf(config.USERS_URL);
const callMessages = createCallMessages({ discover: () => discover(config.MESSAGES_URL), clientOf });

let isReady = false;
const { app, sessions, forgetFriendships, processing, pictures, cleanup, flush } = await createApp({
  connection,
  redis,
  storage,
  callUsers,
  callMessages,
  logger,
  internalSecret: config.INTERNAL_SECRET,
  rates: ratesOf(RATE_LIMITS, config),
  totalMaxBytes: config.MEDIA_TOTAL_MAX_BYTES,
  clamdUrl: config.CLAMD_URL,
  pageAddresses: createPublicAddresses({
    protocols: ["http:", "https:"],
    allowedHosts: config.PREVIEW_HOSTS_ALLOWED,
  }),
  isReady: () => isReady,
});
await followUsers({
  callUsers,
  redis: subscriber,
  sessions,
  onFriendshipChange: ({ user_ids }) => forgetFriendships(user_ids),
  logger,
});
const server = await listen(app.callback(), config.PORT, config.HOST);
server.requestTimeout = PART_MAX_MS;
logger.info({ address: server.address() }, "listening");

const endChecks = watchDependencies(
  {
    mongodb: () => checkMongo(connection),
    redis: () => redis.ping(),
    storage: () => storage.check(),
    "svc-users": () => callUsers(listInternalCalls),
    "svc-messages": () => callMessages(listInternalCalls),
  },
  logger,
);

shutDownInOrder(logger, [
  endChecks,
  () => {
    isReady = false;
  },
  () => closeServer(server, CLOSE_MAX_MS),
  () => Promise.all([processing.close(), cleanup.close()]),
  () => pictures.close(),
  () => flush(),
  () => redis.disconnect(),
  () => subscriber.disconnect(),
  () => connection.close(),
]);

await waitForRedisLogin(redis, logger);
await waitForStorage(storage, logger);
await waitForPeers(
  [
    {
      name: "svc-users",
      call: callUsers,
      // Not the list of changes: the previous release, beside which svc-media starts, has no svc-media.
      needs: [lookUpSessions, listThreadsOfUsers],
    },
  ],
  logger,
);
isReady = true;
processing.start();
cleanup.start();
logger.info("ready");
