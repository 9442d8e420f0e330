import { createPublish } from "@messageoh/service-kit/publish";
import { connectRedis, type Redis } from "@messageoh/service-kit/redis";
import { waitForRedisLogin } from "@messageoh/service-kit/redisLogin";
import { createSubscriber } from "@messageoh/service-kit/subscriber";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { until } from "@messageoh/service-kit/testing/until";
import pino from "pino";

const open = new Set<Redis>();

/** Connects to Redis as a service does. */
export function openRedis(url: string, name: string, logger = silentLogger): Redis {
  const redis = connectRedis(url, logger, name);
  open.add(redis);
  return redis;
}

export function closeRedis(): void {
  for (const redis of open) redis.disconnect();
  open.clear();
}

/** Waits for a service to be ready with a connection string. Returns whether it was, and the causes in its log. */
export async function login(url: string): Promise<{ isReady: boolean; reasons: string[] }> {
  const logged: { reason?: string }[] = [];
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  let isReady = false;
  void waitForRedisLogin(openRedis(url, "probe", logger), logger).then(() => {
    isReady = true;
  });
  await until(() => isReady || logged.length > 0);
  return { isReady, reasons: logged.map(({ reason = "" }) => reason) };
}

/** Subscribes to a channel of a user, and publishes numbers to it until one has arrived. */
export async function listen(url: string, channel: string) {
  const [publisher, listener] = [openRedis(url, "publisher"), openRedis(url, "listener")];
  await Promise.all([publisher, listener].map((redis) => waitForRedisLogin(redis, silentLogger)));
  const received: number[] = [];
  const heard = { lost: 0, restored: 0 };
  const subscriber = createSubscriber(listener, silentLogger, {
    onEvent: (_, event) => received.push(JSON.parse(event).number),
    onLost: () => (heard.lost += 1),
    onRestored: () => (heard.restored += 1),
  });
  await subscriber.add(channel);
  const publish = createPublish(publisher, silentLogger);
  const arrives = async (number: number) => {
    await until(async () => {
      await publish([[channel, { number }]]);
      return received.includes(number);
    });
  };
  await arrives(0);
  return { publisher, publish, heard, received, arrives };
}
