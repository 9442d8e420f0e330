import { SESSIONS_CHANNEL, sessionEvent } from "@messageoh/contracts/bus";
import { createClient } from "@messageoh/contracts/client";
import { internalHeaders } from "@messageoh/service-kit/internal";
import { createLogger } from "@messageoh/service-kit/logger";
import { connectMongo } from "@messageoh/service-kit/mongo";
import { connectRedis, createPublish, createSubscriber } from "@messageoh/service-kit/redis";
import { closeServer, listen, shutDownInOrder } from "@messageoh/service-kit/run";
import { send } from "@messageoh/service-kit/send";
import { serveCalls } from "@messageoh/service-kit/serveCalls";
import { startTracing } from "@messageoh/service-kit/tracing";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
const logger = createLogger(config.INSTANCE, config.LOG_LEVEL);
const endTracing = await startTracing("svc-messages", config.INSTANCE, logger);

const redis = connectRedis(config.REDIS_URL, logger, config.INSTANCE);
const subscriber = connectRedis(config.REDIS_URL, logger, `${config.INSTANCE}-sub`);
const connection = await connectMongo(config.MONGO_URL, "messages", logger);
const { app, sessions, calls } = await createApp({
  connection,
  publish: createPublish(redis, logger),
  callUsers: createClient({
    baseUrl: config.USERS_URL,
    headers: internalHeaders(config.INTERNAL_SECRET),
    timeoutMs: 5_000,
    send,
  }),
  logger,
  internalSecret: config.INTERNAL_SECRET,
});
await createSubscriber(subscriber, logger, {
  onEvent: (_, event) => sessions.forget(sessionEvent.parse(JSON.parse(event)).session_id),
  onRestored: () => sessions.clear(),
}).add(SESSIONS_CHANNEL);
const server = await listen(app.callback(), config.PORT, config.HOST);
const served = serveCalls(server, { calls, secret: config.INTERNAL_SECRET, logger });
logger.info({ address: server.address() }, "listening");

shutDownInOrder(logger, [
  () => served.close(),
  () => closeServer(server),
  () => redis.disconnect(),
  () => subscriber.disconnect(),
  () => connection.close(),
  endTracing,
]);
