import { createServer } from "node:http";
import { createClient } from "@messageoh/contracts/client";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import { internalHeaders } from "@messageoh/service-kit/internal";
import { createLogger } from "@messageoh/service-kit/logger";
import { connectRedis } from "@messageoh/service-kit/redis";
import { listen, shutDownInOrder } from "@messageoh/service-kit/run";
import { send } from "@messageoh/service-kit/send";
import { createSocketSend } from "@messageoh/service-kit/socketSend";
import { startTracing } from "@messageoh/service-kit/tracing";
import { readConfig } from "./config.ts";
import { failOver } from "./failOver.ts";
import { createRealtime } from "./realtime.ts";

const config = readConfig();
const logger = createLogger(config.INSTANCE, config.LOG_LEVEL);
const endTracing = await startTracing("svc-realtime", config.INSTANCE, logger);

const connect = (role: string, keepsCommands = false) =>
  connectRedis(config.REDIS_URL, logger, `${config.INSTANCE}-${role}`, { keepsCommands });
const redis = {
  publisher: connect("pub"),
  subscriber: connect("sub"),
  adapterPublisher: connect("adapter-pub", true),
  adapterSubscriber: connect("adapter-sub", true),
};
/** Short enough that a frozen instance of another service is given up for the next one. */
const options = { headers: internalHeaders(config.INTERNAL_SECRET), timeoutMs: 5_000 };
const clientOfMessages = (baseUrl: string) => createClient({ baseUrl, ...options, send: createSocketSend(baseUrl) });

const { app } = createHttpApp({ logger, isReady: () => realtime.isReady() });
const server = createServer(app.callback());
const realtime = createRealtime(server, {
  instance: config.INSTANCE,
  redis,
  callUsers: createClient({ baseUrl: config.USERS_URL, ...options, send }),
  callMessages: failOver(config.MESSAGES_URL.map(clientOfMessages)),
  limits: {
    sends: {
      rate: config.LIMIT_SENDS_PER_USER,
      waitingMax: config.SENDS_WAITING_MAX,
      waitingTotalMax: config.SENDS_WAITING_TOTAL_MAX,
    },
    eventsPerSocket: config.LIMIT_EVENTS_PER_SOCKET,
    connectionsPerUser: config.CONNECTIONS_PER_USER_MAX,
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS_MAX,
  },
  logger,
});
await listen(server, config.PORT, config.HOST);
logger.info({ address: server.address() }, "listening");

shutDownInOrder(logger, [
  () => {
    // New connections go to the other instances from now on.
    server.close();
  },
  () => realtime.drain(config.DRAIN_MS),
  () => {
    for (const connection of Object.values(redis)) connection.disconnect();
  },
  endTracing,
]);
