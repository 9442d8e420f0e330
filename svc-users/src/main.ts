import { watchDependencies } from "@messageoh/service-kit/dependencies";
import { ratesOf } from "@messageoh/service-kit/limitTable";
import { createLogger } from "@messageoh/service-kit/logger";
import { checkMongo, connectMongo } from "@messageoh/service-kit/mongo";
import { createPosition, publishAt } from "@messageoh/service-kit/position";
import { createPublish } from "@messageoh/service-kit/publish";
import { connectRedis } from "@messageoh/service-kit/redis";
import { waitForRedisLogin } from "@messageoh/service-kit/redisLogin";
import { closeServer, exitOnSignals, listen, shutDownInOrder } from "@messageoh/service-kit/run";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { createLimits, RATE_LIMITS } from "./limits/rateLimits.ts";
import { createPasswords } from "./passwords/passwords.ts";

exitOnSignals();
const config = readConfig();
const logger = createLogger(config.INSTANCE, config.LOG_LEVEL);

const redis = connectRedis(config.REDIS_URL, logger, config.INSTANCE);
const connection = await connectMongo(config.MONGO_URL, "users", logger);
const position = createPosition("users");
const publish = createPublish(redis, logger);
const { app, push } = await createApp({
  connection,
  publish: publishAt(position, publish),
  passwords: await createPasswords(config.BCRYPT_COST, {
    atOnce: config.HASHES_AT_ONCE,
    waitingMax: config.HASHES_WAITING_MAX,
  }),
  limits: createLimits(redis, ratesOf(RATE_LIMITS, config)),
  logger,
  internalSecret: config.INTERNAL_SECRET,
  lifetimes: { idleDays: config.SESSION_DAYS, maxDays: config.SESSION_MAX_DAYS },
  push: {
    privateKey: config.VAPID_PRIVATE_KEY,
    subject: config.VAPID_SUBJECT,
    allowedHosts: config.PUSH_HOSTS_ALLOWED,
  },
});
await waitForRedisLogin(redis, logger);
const server = await listen(app.callback(), config.PORT, config.HOST);
logger.info({ address: server.address() }, "listening");

const endBeats = position.startBeats(publish);
const endChecks = watchDependencies({ mongodb: () => checkMongo(connection), redis: () => redis.ping() }, logger);

shutDownInOrder(logger, [
  endChecks,
  () => closeServer(server),
  endBeats,
  () => push.close(),
  () => redis.disconnect(),
  () => connection.close(),
]);
