import { setTimeout as pause } from "node:timers/promises";
import type { PushPayload } from "@messageoh/contracts/push";
import { atMost } from "@messageoh/service-kit/atMost";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Gauge, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { LRUCache } from "lru-cache";
import type { Post, PushResponse } from "./post.ts";
import { createSendQueue, type Enter } from "./sendQueue.ts";
import type { Subscriber, Subscriptions } from "./subscriptions.ts";

const ATTEMPTS_MAX = 4;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;
/** Time without attempts after an endpoint has failed them all. */
const PAUSED_MS = 10 * 60_000;
/** Endpoints of at most 1 kB: 10 MB. */
const PAUSED_MAX = 10_000;
const CLOSE_MS = 5_000;
/** Age after which a notification is sent without its text: the message may have been deleted meanwhile. */
const TEXT_MAX_AGE_MS = 2_000;

const sends = new Counter({
  name: "messageoh_users_pushes_total",
  help: "Push notifications, by outcome",
  labelNames: ["outcome"],
});
const seconds = new Histogram({
  name: "messageoh_users_push_seconds",
  help: "Duration of one attempt to post a push notification",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const waiting = new Gauge({ name: "messageoh_users_pushes_waiting", help: "Push notifications that are not sent yet" });

type Outcome = "sent" | "gone" | "ended" | "refused" | "failed" | "paused" | "dropped";

export interface DeliveryOptions {
  post: Post;
  subscriptions: Pick<Subscriptions, "isCurrent" | "drop">;
  retryMs?: number | undefined;
  logger: Logger;
}

/**
 * Creates the delivery of push notifications, which retries with backoff and jitter. An endpoint that fails every
 * attempt is paused; one that its push service does not know any more is removed.
 */
export function createDelivery({ post, subscriptions, retryMs = RETRY_MS, logger }: DeliveryOptions) {
  const queue = createSendQueue();
  const paused = new LRUCache<string, true>({ ...atMost(PAUSED_MAX), ttl: PAUSED_MS });
  const closing = new AbortController();

  async function attempt({ subscriber, payload, isWanted, addedAt }: Notification): Promise<PushResponse | "ended"> {
    // The session may have ended, or the endpoint may belong to another session by now.
    if (!(await subscriptions.isCurrent(subscriber)) || !(await isWanted())) return "ended";
    const { text, ...withoutText } = payload;
    const endTimer = seconds.startTimer();
    const isOld = performance.now() - addedAt > TEXT_MAX_AGE_MS;
    return post(subscriber.push, isOld ? withoutText : payload)
      .catch((err): PushResponse => {
        logger.debug({ err, host: new URL(subscriber.push.endpoint).host }, "push notification failed");
        return { status: 0 };
      })
      .finally(endTimer);
  }

  async function deliver(notification: Notification, enter: Enter): Promise<Outcome> {
    const { subscriber } = notification;
    const { endpoint } = subscriber.push;
    const host = new URL(endpoint).host;
    for (let number = 1; ; number += 1) {
      const response = await enter(() => attempt(notification)).catch((err) => {
        logger.debug({ err }, "push notification could not be checked");
      });
      if (response === "ended") return "ended";
      const { status, retryAfterMs = 0 } = response ?? { status: 0 };
      if (status >= 200 && status < 300) return "sent";
      if (status === 404 || status === 410) {
        await subscriptions.drop(subscriber);
        return "gone";
      }
      const isTemporary = status === 0 || status === 429 || status >= 500;
      if (!isTemporary) {
        logger.warn({ host, status }, "push service refused a notification");
        return "refused";
      }
      if (number === ATTEMPTS_MAX || closing.signal.aborted) {
        // Otherwise a check of this service failed, which says nothing about the endpoint.
        if (response) paused.set(endpoint, true);
        return "failed";
      }
      const backoffMs = retryMs * 4 ** (number - 1) * (0.5 + Math.random() / 2);
      const waitMs = Math.min(Math.max(backoffMs, retryAfterMs), RETRY_MAX_MS);
      await pause(waitMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }

  function end(outcome: Outcome): void {
    sends.inc({ outcome });
    waiting.set(queue.size());
  }

  return {
    /**
     * Adds a notification. It is dropped if too many wait, in all or for this user.
     * @param isWanted returns whether the recipient still wants it; asked before each attempt
     */
    add(subscriber: Subscriber, payload: PushPayload, isWanted: () => Promise<boolean>): void {
      const { user_id, push } = subscriber;
      const notification = { subscriber, payload, isWanted, addedAt: performance.now() };
      const place = { user: user_id, host: new URL(push.endpoint).host };
      const isPaused = closing.signal.aborted || paused.has(push.endpoint);
      const work = isPaused ? undefined : queue.add(place, (enter) => deliver(notification, enter));
      waiting.set(queue.size());
      if (!work) end(isPaused ? "paused" : "dropped");
      work?.then(end, (err) => {
        logger.warn({ err }, "push notification could not be delivered");
        end("failed");
      });
    },

    /** Waits for attempts that run, at most five seconds, and gives up retries. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.race([queue.idle(), pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

interface Notification {
  subscriber: Subscriber;
  payload: PushPayload;
  isWanted: () => Promise<boolean>;
  /** By the monotonic clock, in milliseconds. */
  addedAt: number;
}
