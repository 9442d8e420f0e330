import { createServer } from "node:http";
import { listBetween, listMissedMessages } from "@messageoh/contracts/internal/messages";
import { listAccessChanges, listThreadsOfUsers, lookUpSessions } from "@messageoh/contracts/internal/users";
import { watchDependencies } from "@messageoh/service-kit/dependencies";
import { discover } from "@messageoh/service-kit/discovery";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import { internalClients, internalHeaders } from "@messageoh/service-kit/internal";
import { ratesOf } from "@messageoh/service-kit/limitTable";
import { createLogger } from "@messageoh/service-kit/logger";
import { listInternalCalls, waitForPeers } from "@messageoh/service-kit/peers";
import { connectRedis } from "@messageoh/service-kit/redis";
import { waitForRedisLogin } from "@messageoh/service-kit/redisLogin";
import { exitOnSignals, listen, shutDownInOrder } from "@messageoh/service-kit/run";
import { readConfig } from "./config.ts";
import { RATE_LIMITS } from "./limits/eventLimits.ts";
import { createRealtime } from "./realtime.ts";
import { createOpenStream } from "./sending/messagesStream.ts";

exitOnSignals();
const config = readConfig();
const logger = createLogger(config.INSTANCE, config.LOG_LEVEL);

const connect = (role: string, keepsCommands = false) =>
  connectRedis(config.REDIS_URL, logger, `${config.INSTANCE}-${role}`, keepsCommands);
const redis = {
  publisher: connect("pub"),
  subscriber: connect("sub"),
  adapterSubscriber: connect("adapter-sub", true),
};
// Short, so that a call to a frozen instance fails over to another instance within seconds.
const clientOf = internalClients(config.INTERNAL_SECRET, 5_000);
const callUsers = clientOf(config.USERS_URL);

let isStarted = false;
const { app } = createHttpApp({ logger, isReady: () => isStarted && !realtime.isDraining() });
const server = createServer(app.callback());
const realtime = createRealtime(server, {
  instance: config.INSTANCE,
  redis,
  callUsers,
  messages: {
    discover: () => discover(config.MESSAGES_URL),
    clientOf,
    openStream: createOpenStream(internalHeaders(config.INTERNAL_SECRET), logger),
  },
  limits: {
    events: ratesOf(RATE_LIMITS, config),
    connectionsPerUser: config.CONNECTIONS_PER_USER_MAX,
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS_MAX,
  },
  logger,
});
// A client that connects earlier would get what was stored before as events.
await realtime.messagesService.start();
await listen(server, config.PORT, config.HOST);
logger.info({ address: server.address() }, "listening");

const endChecks = watchDependencies(
  { redis: () => redis.publisher.ping(), "svc-users": () => callUsers(listInternalCalls) },
  logger,
);

shutDownInOrder(logger, [
  endChecks,
  () => {
    // The gateway sends new connections to the other instances once this port is closed.
    server.close();
  },
  () => realtime.drain(config.DRAIN_MS),
  () => {
    for (const connection of Object.values(redis)) connection.disconnect();
  },
]);

await waitForRedisLogin(redis.publisher, logger);
await waitForPeers(
  [
    {
      name: "svc-users",
      call: callUsers,
      needs: [lookUpSessions, listAccessChanges, listThreadsOfUsers],
    },
    {
      name: "svc-messages",
      call: realtime.messagesService.callFor(config.INSTANCE),
      needs: [listBetween, listMissedMessages],
    },
  ],
  logger,
);
isStarted = true;
logger.info("ready");
