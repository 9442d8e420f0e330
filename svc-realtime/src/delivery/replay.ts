import type { Call } from "@messageoh/contracts/client";
import { RECENT_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { listRecentMessages, type Message, storedAt } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Delivery } from "./delivery.ts";
import type { Received } from "./received.ts";

const USERS_PER_CALL = 500;
const SWEEP_EVERY_MS = 15_000;
/** While Redis is away, asking is the only way to learn of messages. */
const DEGRADED_EVERY_MS = 2_000;
const RETRY_MS = 1_000;
/** A message may be stored this long after it got its id, by a process that froze in between. */
const OVERLAP_MS = 20_000;
/** The event of a message that was stored less long ago may be on its way. */
const ON_ITS_WAY_MS = 2_000;
/** One call covers this much time at most, so that a sweep that is late does not ask for ever more at once. */
const WINDOW_MS = 60_000;

export interface ReplayOptions {
  callMessages: Call;
  delivery: Pick<Delivery, "deliverMissed">;
  received: Received;
  localUsers: () => Iterable<string>;
  /** Whether events reach this instance now. */
  isLive: () => boolean;
  logger: Logger;
}

/**
 * Pub/sub is only the fast path. This repairs it from the database for the users of this instance: at once after an
 * interruption, every two seconds during one, and slowly at all times for what got lost without a trace. A sweep covers
 * all since the last one that succeeded, so nothing is passed over while svc-messages is away. It compares how many
 * messages there are with how many came in: only what differs is read.
 */
export function createReplay({ callMessages, delivery, received, localUsers, isLive, logger }: ReplayOptions) {
  let sweptUntil = Date.now();
  let isSweeping = false;
  // Times that somebody asked for a look now, and how many of those a look that succeeded has answered.
  let asked = 0;
  let answered = 0;
  let timer: NodeJS.Timeout | undefined;

  async function bring(user_ids: string[], from: number, until: number): Promise<void> {
    for (let since = from; ; ) {
      const known = received.counts(user_ids, since, until);
      const body = { user_ids, since: new Date(since).toISOString(), until: new Date(until).toISOString(), known };
      const { messages } = await callMessages(listRecentMessages, { body });
      for (const message of inOrder(messages)) delivery.deliverMissed(message);
      const last = messages.at(-1);
      if (!last || messages.length < RECENT_MAX_MESSAGES) return;
      since = Math.max(storedAt(last.id), since + 1);
    }
  }

  async function sweep(): Promise<void> {
    isSweeping = true;
    const answers = asked;
    const until = Date.now() - (asked > answered || !isLive() ? 0 : ON_ITS_WAY_MS);
    let wait = isLive() ? SWEEP_EVERY_MS * (0.75 + Math.random() / 2) : DEGRADED_EVERY_MS;
    try {
      const users = [...localUsers()];
      for (let start = 0; start < users.length; start += USERS_PER_CALL) {
        const some = users.slice(start, start + USERS_PER_CALL);
        for (let from = sweptUntil - OVERLAP_MS; from < until; from += WINDOW_MS) {
          await bring(some, from, Math.min(from + WINDOW_MS, until));
        }
      }
      sweptUntil = until;
      received.forgetBefore(sweptUntil - OVERLAP_MS);
      answered = answers;
      if (asked > answered) wait = 0;
    } catch (err) {
      logger.debug({ err }, "sweep failed, trying again");
      wait = RETRY_MS;
    }
    isSweeping = false;
    schedule(wait);
  }

  function schedule(waitMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(sweep, waitMs).unref();
  }
  schedule(SWEEP_EVERY_MS);

  return {
    /** Events may have been lost: looks now, and until it has succeeded. */
    soon(): void {
      asked += 1;
      if (!isSweeping) schedule(0);
    },
    close: () => clearTimeout(timer),
  };
}

/** Messages of one thread in the order of their numbers. */
const inOrder = (messages: readonly Message[]): Message[] =>
  messages.toSorted((a, b) => (a.thread_id === b.thread_id ? a.seq - b.seq : a.thread_id < b.thread_id ? -1 : 1));
