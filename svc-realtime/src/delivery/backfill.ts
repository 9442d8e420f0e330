import type { Call } from "@messageoh/contracts/client";
import { RECENT_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { listRecentMessages, type Message, storedAt } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import type * as z from "zod/mini";
import type { Delivery } from "./delivery.ts";
import type { DeliveryLog } from "./deliveryLog.ts";
import { ANY_PROCESS, type ServiceClocks } from "./serviceClocks.ts";

const USERS_PER_CALL = 500;
const INTERVAL_MS = 15_000;
/** Interval while the backfill is the only source of messages: Redis is down, or events get lost without an error. */
const DEGRADED_INTERVAL_MS = 2_000;
/** The pause after a run is at least this multiple of its duration, so that a slow database is not overloaded. */
const PAUSE_PER_RUN = 4;
const RETRY_MS = 1_000;
/** A process that froze may store a message this long after the message got its id. */
const OVERLAP_MS = 20_000;
/** Messages stored less than this long ago are left to their events. After an interruption nothing is left to them. */
const EVENT_GRACE_MS = 2_000;
/** Time span per call, which bounds the size of the calls after an outage. */
const WINDOW_MS = 60_000;

export interface BackfillOptions {
  callMessages: Call;
  delivery: Pick<Delivery, "deliverBackfilled">;
  deliveryLog: DeliveryLog;
  clocks: ServiceClocks;
  localUsers: () => Iterable<string>;
  /** Returns whether this instance receives events now. */
  isLive: () => boolean;
  logger: Logger;
}

/**
 * Delivers messages from the database whose events did not arrive, to the users of this instance. It runs at once after an
 * interruption of Redis, every two seconds during one, and every 15 seconds otherwise for events that were lost without an
 * error; every two seconds as well after a run that delivered a message, because more events may be lost. Each run covers the time since the last successful run. It compares the number of stored messages with the number
 * of delivered ones and reads only what differs.
 */
export function createBackfill(options: BackfillOptions) {
  const { callMessages, delivery, deliveryLog, clocks, localUsers, isLive, logger } = options;
  const startedAt = performance.now();
  /** Time of the clocks of svc-messages; `undefined` before the first call. */
  let coveredUntil: number | undefined;
  let hasLostEvents = false;
  let isRunning = false;
  let requestedRuns = 0;
  /** How many of the requested runs a successful run has covered. */
  let completedRuns = 0;
  let timer: NodeJS.Timeout | undefined;

  const isPending = () => requestedRuns > completedRuns || !isLive();

  async function listRecent(body: z.input<(typeof listRecentMessages)["body"]>): Promise<Message[]> {
    const requestedAt = performance.now();
    const { messages, process, now = Date.now() } = await callMessages(listRecentMessages, { body });
    clocks.observe(process, now, requestedAt);
    clocks.observe(ANY_PROCESS, now);
    return messages;
  }

  /** Returns the time of svc-messages at a local time. Asks svc-messages the first time. */
  async function serviceTimeAt(localTime: number): Promise<number> {
    if (clocks.timeAt(0) === undefined) await listRecent({ user_ids: [], since: new Date(0).toISOString() });
    return Math.floor(clocks.timeAt(localTime) ?? 0);
  }

  async function deliverStored(user_ids: string[], from: number, until: number): Promise<void> {
    for (let since = from; ; ) {
      const known = deliveryLog.counts(user_ids, since, until);
      const body = { user_ids, since: new Date(since).toISOString(), until: new Date(until).toISOString(), known };
      const messages = await listRecent(body);
      for (const message of bySequence(messages)) delivery.deliverBackfilled(message);
      const last = messages.at(-1);
      if (!last || messages.length < RECENT_MAX_MESSAGES) return;
      since = Math.max(storedAt(last.id), since + 1);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    const requestedAtStart = requestedRuns;
    const beganAt = performance.now();
    hasLostEvents = false;
    let delayMs: number;
    try {
      const now = await serviceTimeAt(beganAt);
      const until = isPending() ? now + EVENT_GRACE_MS : now - EVENT_GRACE_MS;
      coveredUntil ??= await serviceTimeAt(startedAt);
      const users = [...localUsers()];
      for (let start = 0; start < users.length; start += USERS_PER_CALL) {
        const userIds = users.slice(start, start + USERS_PER_CALL);
        for (let from = coveredUntil - OVERLAP_MS; from < until; from += WINDOW_MS) {
          await deliverStored(userIds, from, Math.min(from + WINDOW_MS, until));
        }
      }
      coveredUntil = Math.min(until, now);
      deliveryLog.dropBefore(coveredUntil - OVERLAP_MS);
      completedRuns = requestedAtStart;
      const isRegular = isLive() && !hasLostEvents;
      delayMs = isRegular ? INTERVAL_MS * (0.75 + Math.random() / 2) : DEGRADED_INTERVAL_MS;
      delayMs = Math.max(delayMs, PAUSE_PER_RUN * (performance.now() - beganAt));
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
    /** Reports a message that a socket got from the database. */
    noticeLoss(): void {
      hasLostEvents = true;
    },
    /** Returns whether events may have been missed that no run has covered yet. */
    isPending,
    /** Learns the time of svc-messages before the first run. If the call fails, that run learns it. */
    learnTime: (): Promise<unknown> => serviceTimeAt(startedAt).catch(() => undefined),
    close: () => clearTimeout(timer),
  };
}

/** Returns the messages grouped by thread, in sequence order within each. */
const bySequence = (messages: readonly Message[]): Message[] =>
  messages.toSorted((a, b) => (a.thread_id === b.thread_id ? a.seq - b.seq : a.thread_id < b.thread_id ? -1 : 1));
