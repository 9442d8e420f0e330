import { SENDING_TOO_FAST } from "@messageoh/contracts/errorTexts";
import { Gauge } from "@messageoh/service-kit/metrics";
import { limited, type Rate } from "@messageoh/service-kit/rateLimit";
import { createTokenBucket, type TokenBucket } from "@messageoh/service-kit/tokenBucket";
import { LRUCache } from "lru-cache";
import { Refusal } from "./onEvent.ts";

const USERS_MAX = 50_000;
/** A sender is told that its messages wait, but not at every one. */
const TELL_EVERY_MS = 1_000;

const waitingSends = new Gauge({
  name: "messageoh_realtime_paced_sends",
  help: "Messages that wait because their user is too fast",
});

export interface SendPaceOptions {
  rate: Rate;
  /** Messages of one user that may wait. */
  waitingMax: number;
  /** Messages of all users that may wait. */
  waitingTotalMax: number;
}

interface Sender {
  bucket: TokenBucket;
  waiting: (() => void)[];
  toldAt: number;
}

export type SendPace = ReturnType<typeof createSendPace>;

/**
 * How fast a user may write, whatever the number of its sockets here: a burst, then a steady rate. What comes faster
 * waits its turn, in order; when too much waits already it is refused for now.
 */
export function createSendPace({ rate, waitingMax, waitingTotalMax }: SendPaceOptions) {
  // One that was not used for `seconds` is full again: as good as a new one.
  const senders = new LRUCache<string, Sender>({ max: USERS_MAX, ttl: rate.seconds * 1_000, updateAgeOnGet: true });
  let total = 0;

  function senderOf(userId: string): Sender {
    const known = senders.get(userId);
    if (known) return known;
    const sender: Sender = { bucket: createTokenBucket(rate), waiting: [], toldAt: 0 };
    senders.set(userId, sender);
    return sender;
  }

  function letGo(sender: Sender): void {
    while (sender.waiting.length > 0 && sender.bucket.take()) {
      total -= 1;
      sender.waiting.shift()?.();
    }
    waitingSends.set(total);
    if (sender.waiting.length > 0) setTimeout(() => letGo(sender), sender.bucket.msUntil(1)).unref();
  }

  return {
    /**
     * Nothing where the message may go now, else a promise of its turn. Throws a retryable refusal when too many wait.
     * @param onWait told from time to time for how long messages will wait, in milliseconds
     */
    turn(userId: string, onWait: (forMs: number) => void): Promise<void> | undefined {
      const sender = senderOf(userId);
      if (sender.waiting.length === 0 && sender.bucket.take()) return undefined;
      if (sender.waiting.length >= waitingMax || total >= waitingTotalMax) {
        limited.inc({ limit: "sends" });
        throw new Refusal(SENDING_TOO_FAST, true);
      }
      return new Promise((go) => {
        sender.waiting.push(go);
        total += 1;
        if (sender.waiting.length === 1) setTimeout(() => letGo(sender), sender.bucket.msUntil(1)).unref();
        waitingSends.set(total);
        if (Date.now() - sender.toldAt < TELL_EVERY_MS) return;
        sender.toldAt = Date.now();
        onWait(sender.bucket.msUntil(sender.waiting.length));
      });
    },
    /** Whether no message waits. */
    isIdle: () => total === 0,
  };
}
