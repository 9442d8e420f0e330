import type { Call } from "@messageoh/contracts/client";
import { RECENT_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { listRecentMessages, type Message, storedAt } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Delivery } from "./delivery.ts";
import type { DeliveryLog } from "./deliveryLog.ts";

const USERS_PER_CALL = 500;
const INTERVAL_MS = 15_000;
/** Interval while Redis is down, when the backfill is the only source of messages. */
const DEGRADED_INTERVAL_MS = 2_000;
const RETRY_MS = 1_000;
/** A process that froze may store a message this long after the message got its id. */
const OVERLAP_MS = 20_000;
/** Messages stored less than this long ago are left to their events. */
const EVENT_GRACE_MS = 2_000;
/** Time span per call, which bounds the size of the calls after an outage. */
const WINDOW_MS = 60_000;

export interface BackfillOptions {
  callMessages: Call;
  delivery: Pick<Delivery, "deliverBackfilled">;
  deliveryLog: DeliveryLog;
  localUsers: () => Iterable<string>;
  /** Returns whether this instance receives events now. */
  isLive: () => boolean;
  logger: Logger;
}

/**
 * Delivers messages from the database whose events did not arrive, to the users of this instance. It runs at once after an
 * interruption of Redis, every two seconds during one, and every 15 seconds otherwise for events that were lost without an
 * error. Each run covers the time since the last successful run. It compares the number of stored messages with the number
 * of delivered ones and reads only what differs.
 */
export function createBackfill({ callMessages, delivery, deliveryLog, localUsers, isLive, logger }: BackfillOptions) {
  let coveredUntil = Date.now();
  let isRunning = false;
  let requestedRuns = 0;
  /** How many of the requested runs a successful run has covered. */
  let completedRuns = 0;
  let timer: NodeJS.Timeout | undefined;

  const isPending = () => requestedRuns > completedRuns || !isLive();

  async function deliverStored(user_ids: string[], from: number, until: number): Promise<void> {
    for (let since = from; ; ) {
      const known = deliveryLog.counts(user_ids, since, until);
      const body = { user_ids, since: new Date(since).toISOString(), until: new Date(until).toISOString(), known };
      const { messages } = await callMessages(listRecentMessages, { body });
      for (const message of bySequence(messages)) delivery.deliverBackfilled(message);
      const last = messages.at(-1);
      if (!last || messages.length < RECENT_MAX_MESSAGES) return;
      since = Math.max(storedAt(last.id), since + 1);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    const requestedAtStart = requestedRuns;
    const until = Date.now() - (isPending() ? 0 : EVENT_GRACE_MS);
    let delayMs = isLive() ? INTERVAL_MS * (0.75 + Math.random() / 2) : DEGRADED_INTERVAL_MS;
    try {
      const users = [...localUsers()];
      for (let start = 0; start < users.length; start += USERS_PER_CALL) {
        const userIds = users.slice(start, start + USERS_PER_CALL);
        for (let from = coveredUntil - OVERLAP_MS; from < until; from += WINDOW_MS) {
          await deliverStored(userIds, from, Math.min(from + WINDOW_MS, until));
        }
      }
      coveredUntil = until;
      deliveryLog.dropBefore(coveredUntil - OVERLAP_MS);
      completedRuns = requestedAtStart;
      if (requestedRuns > completedRuns) delayMs = 0;
    } catch (err) {
      delayMs = RETRY_MS;
      logger.debug({ err, retry_in_ms: delayMs }, "backfill failed");
    }
    isRunning = false;
    schedule(delayMs);
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(run, delayMs).unref();
  }
  schedule(INTERVAL_MS);

  return {
    /** Requests a run because events may have been lost. It starts now, or after the current one, and is retried. */
    request(): void {
      requestedRuns += 1;
      if (!isRunning) schedule(0);
    },
    /** Returns whether events may have been missed that no run has covered yet. */
    isPending,
    close: () => clearTimeout(timer),
  };
}

/** Returns the messages grouped by thread, in sequence order within each. */
const bySequence = (messages: readonly Message[]): Message[] =>
  messages.toSorted((a, b) => (a.thread_id === b.thread_id ? a.seq - b.seq : a.thread_id < b.thread_id ? -1 : 1));
