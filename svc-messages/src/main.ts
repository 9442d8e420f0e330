import { userChannel } from "@messageoh/contracts/bus";
import {
  finishDeletion,
  getAccountData,
  getThreadMembers,
  listAccessChanges,
  listDeletions,
  listThreadsOfUsers,
  lookUpSessions,
  requestPushes,
} from "@messageoh/contracts/internal/users";
import { watchDependencies } from "@messageoh/service-kit/dependencies";
import { followUsers } from "@messageoh/service-kit/followUsers";
import { internalClients } from "@messageoh/service-kit/internal";
import { ratesOf } from "@messageoh/service-kit/limitTable";
import { createLogger } from "@messageoh/service-kit/logger";
import { checkMongo, connectMongo } from "@messageoh/service-kit/mongo";
import { listInternalCalls, waitForPeers } from "@messageoh/service-kit/peers";
import { createPosition } from "@messageoh/service-kit/position";
import { createPublish, findHeard } from "@messageoh/service-kit/publish";
import { connectRedis } from "@messageoh/service-kit/redis";
import { waitForRedisLogin } from "@messageoh/service-kit/redisLogin";
import { closeServer, exitOnSignals, listen, shutDownInOrder } from "@messageoh/service-kit/run";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { createPresentTexts } from "./push/presentTexts.ts";
import { createPushRequests } from "./push/pushRequests.ts";
import { createLimits, RATE_LIMITS } from "./rateLimits.ts";

/** Connections for the reads of users. With shared connections, a message to store would wait behind them. */
const READS_MAX = 8;

exitOnSignals();
const config = readConfig();
const logger = createLogger(config.INSTANCE, config.LOG_LEVEL);

const redis = connectRedis(config.REDIS_URL, logger, config.INSTANCE);
const subscriber = connectRedis(config.REDIS_URL, logger, `${config.INSTANCE}-sub`);
const connection = await connectMongo(config.MONGO_URL, "messages", logger);
const reads = await connectMongo(config.MONGO_URL, "messages", logger, { maxPoolSize: READS_MAX });
// Shorter than the time that svc-realtime waits for a result.
const clientOf = internalClients(config.INTERNAL_SECRET, 3_000);
const [callUsers, callMedia] = [clientOf(config.USERS_URL), clientOf(config.MEDIA_URL)];
const pushRequests = createPushRequests({
  callUsers,
  async findConnected(userIds) {
    const heard = await findHeard(redis, userIds.map(userChannel));
    return new Set(userIds.filter((userId) => heard.has(userChannel(userId))));
  },
  findTexts: createPresentTexts(reads),
  delayMs: config.PUSH_DELAY_MS,
  logger,
});
let isReady = false;
const position = createPosition("messages");
const publish = createPublish(redis, logger);
const { app, sessions, streams, forgetThread, deletions } = await createApp({
  connection,
  reads,
  position,
  publish,
  callUsers,
  callMedia,
  logger,
  internalSecret: config.INTERNAL_SECRET,
  limits: createLimits(ratesOf(RATE_LIMITS, config)),
  onUnheard: pushRequests.add,
  isReady: () => isReady,
});
await followUsers({
  callUsers,
  redis: subscriber,
  sessions,
  onFriendshipChange: ({ thread_id, user_ids }) => forgetThread(thread_id, user_ids),
  logger,
});
const server = await listen(app.callback(), config.PORT, config.HOST);
logger.info({ address: server.address() }, "listening");
// The first beat precedes the first message.
const endBeats = position.startBeats(publish);
const { drain } = streams(server);

const endChecks = watchDependencies(
  {
    mongodb: () => checkMongo(connection),
    redis: () => redis.ping(),
    "svc-users": () => callUsers(listInternalCalls),
  },
  logger,
);

shutDownInOrder(logger, [
  endChecks,
  () => {
    isReady = false;
    deletions.close();
  },
  drain,
  endBeats,
  () => closeServer(server),
  () => pushRequests.close(),
  () => redis.disconnect(),
  () => subscriber.disconnect(),
  () => Promise.all([connection.close(), reads.close()]),
]);

await waitForRedisLogin(redis, logger);
await waitForPeers(
  [
    {
      name: "svc-users",
      call: callUsers,
      needs: [
        lookUpSessions,
        listAccessChanges,
        getThreadMembers,
        listThreadsOfUsers,
        getAccountData,
        listDeletions,
        finishDeletion,
        requestPushes,
      ],
    },
  ],
  logger,
);
isReady = true;
deletions.start();
logger.info("ready");
