import { SESSIONS_CHANNEL, sessionEvent } from "@messageoh/contracts/bus";
import { createClient } from "@messageoh/contracts/client";
import {
  getAccountData,
  getThreadMembers,
  listEndedSessions,
  listUserThreads,
  lookUpSessions,
} from "@messageoh/contracts/users";
import { pollEndedSessions } from "@messageoh/service-kit/endedSessions";
import { internalHeaders } from "@messageoh/service-kit/internal";
import { ratesOf } from "@messageoh/service-kit/limitTable";
import { createLogger } from "@messageoh/service-kit/logger";
import { connectMongo } from "@messageoh/service-kit/mongo";
import { waitForPeers } from "@messageoh/service-kit/peers";
import { connectRedis, createPublish, createSubscriber } from "@messageoh/service-kit/redis";
import { closeServer, listen, shutDownInOrder } from "@messageoh/service-kit/run";
import { send } from "@messageoh/service-kit/send";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { createLimits, RATE_LIMITS } from "./rateLimits.ts";

const config = readConfig();
const logger = createLogger(config.INSTANCE, config.LOG_LEVEL);

const redis = connectRedis(config.REDIS_URL, logger, config.INSTANCE);
const subscriber = connectRedis(config.REDIS_URL, logger, `${config.INSTANCE}-sub`);
const connection = await connectMongo(config.MONGO_URL, "messages", logger);
const callUsers = createClient({
  baseUrl: config.USERS_URL,
  headers: internalHeaders(config.INTERNAL_SECRET),
  timeoutMs: 5_000,
  send,
});
let isReady = false;
const { app, sessions } = await createApp({
  connection,
  publish: createPublish(redis, logger),
  callUsers,
  logger,
  internalSecret: config.INTERNAL_SECRET,
  limits: createLimits(ratesOf(RATE_LIMITS, config)),
  isReady: () => isReady,
});
await createSubscriber(subscriber, logger, {
  onEvent: (_, event) => sessions.forget(sessionEvent.parse(JSON.parse(event)).session_id),
  onRestored: () => sessions.clear(),
}).add(SESSIONS_CHANNEL);
const fetchPage = (since: string | undefined) => callUsers(listEndedSessions, { body: { since } });
pollEndedSessions({ fetchPage, onEnded: sessions.forget, logger });
const server = await listen(app.callback(), config.PORT, config.HOST);
logger.info({ address: server.address() }, "listening");

shutDownInOrder(logger, [
  () => {
    isReady = false;
  },
  () => closeServer(server),
  () => redis.disconnect(),
  () => subscriber.disconnect(),
  () => connection.close(),
]);

await waitForPeers(
  [
    {
      name: "svc-users",
      call: callUsers,
      needs: [lookUpSessions, listEndedSessions, getThreadMembers, listUserThreads, getAccountData],
    },
  ],
  logger,
);
isReady = true;
logger.info("ready");
