import { timeOf } from "@messageoh/contracts/beat";
import { beginningOf } from "@messageoh/contracts/beginningOf";
import type { Call } from "@messageoh/contracts/client";
import { type PushRequest, requestPushes } from "@messageoh/contracts/internal/users";
import { PUSH_BATCH_MAX, PUSH_TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import type { Message } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { messageKey } from "../messages/message.model.ts";

/** Waiting requests of at most 1 kB: 10 MB. */
const WAITING_MAX = 10_000;
/** A request that svc-users has not accepted for this long is dropped. */
const KEPT_MS = 60_000;
const RETRY_MS = 1_000;
/** Time without requests after svc-users has said that it sends no push notifications. */
const OFF_MS = 60_000;
/** A message that was stored longer ago is not announced again when it is repeated, in milliseconds. */
const REPEAT_MAX_MS = 60_000;

const requests = new Counter({
  name: "messageoh_messages_push_requests_total",
  help: "Messages to users without a connection, by outcome of the request for a push notification",
  labelNames: ["outcome"],
});

export interface PushRequestsOptions {
  callUsers: Call;
  /** Returns those of the users who have a connection to an instance of svc-realtime. */
  findConnected: (userIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Resolves with the present texts of those messages that have not been deleted, by key. */
  findTexts: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Time for a user's browser to reconnect, in milliseconds. */
  delayMs: number;
  logger: Logger;
}

interface Entry {
  /** Key of the message. Its text is read when it is due, because it may be edited or deleted meanwhile. */
  key: string;
  request: Omit<PushRequest, "text">;
  /** Times of the monotonic clock in milliseconds. */
  dueAt: number;
  dropAt: number;
}

export type PushRequests = ReturnType<typeof createPushRequests>;

/**
 * Collects messages whose recipients have no connection, one per recipient and thread, and asks svc-users to notify
 * those who still have none after a delay: an instance that ends disconnects users who come back within seconds.
 * Nothing waits for it. It is bounded, and drops what svc-users does not accept within a minute.
 */
export function createPushRequests({ callUsers, findConnected, findTexts, delayMs, logger }: PushRequestsOptions) {
  /** By recipient and thread, in the order of their times. A newer message replaces the older one. */
  const entries = new Map<string, Entry>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  let offUntil = 0;

  function schedule(inMs: number): void {
    if (!isClosed) timer ??= setTimeout(() => void run(), Math.max(0, inMs));
  }

  function run(): Promise<void> {
    timer = undefined;
    running ??= flush(performance.now()).finally(() => {
      running = undefined;
      const [next] = entries.values();
      if (next) schedule(next.dueAt - performance.now());
    });
    return running;
  }

  function take(until: number): [string, Entry][] {
    const taken: [string, Entry][] = [];
    for (const pair of entries) {
      if (pair[1].dueAt > until || taken.length >= PUSH_BATCH_MAX) break;
      taken.push(pair);
      entries.delete(pair[0]);
    }
    return taken;
  }

  async function flush(until: number): Promise<void> {
    const taken = take(until);
    if (taken.length === 0) return;
    try {
      const connected = await findConnected([...new Set(taken.map(([, { request }]) => request.recipient_user_id))]);
      const unheard = taken
        .map(([, entry]) => entry)
        .filter(({ request }) => !connected.has(request.recipient_user_id));
      requests.inc({ outcome: "connected" }, taken.length - unheard.length);
      if (unheard.length === 0) return;
      const texts = await findTexts(unheard.map(({ key }) => key));
      const pushes = unheard.flatMap(({ key, request }) => {
        const text = texts.get(key);
        return text === undefined ? [] : { ...request, text: beginningOf(text, PUSH_TEXT_MAX_CHARACTERS) };
      });
      requests.inc({ outcome: "deleted" }, unheard.length - pushes.length);
      if (pushes.length === 0) return;
      const { is_on } = await callUsers(requestPushes, { body: { pushes } });
      requests.inc({ outcome: is_on ? "requested" : "off" }, pushes.length);
      if (!is_on) offUntil = performance.now() + OFF_MS;
    } catch (err) {
      logger.debug({ err, pushes: taken.length }, "push notifications could not be requested");
      keep(taken);
    }
  }

  /** Keeps the entries of a failed call for the next one. */
  function keep(taken: readonly [string, Entry][]): void {
    const now = performance.now();
    for (const [id, entry] of taken) {
      const known = entries.get(id);
      if (known) announceNewer(known, entry.key);
      else if (isClosed || entry.dropAt <= now || entries.size >= WAITING_MAX) requests.inc({ outcome: "dropped" });
      else entries.set(id, { ...entry, dueAt: now + RETRY_MS });
    }
  }

  return {
    /** Adds a stored message to a recipient without a connection. */
    add(message: Message, isRepeat: boolean): void {
      const { recipient_user_id, sending_user_id, thread_id, seq } = message;
      const now = performance.now();
      if (isClosed || now < offUntil || (isRepeat && Date.now() - timeOf(message.id) > REPEAT_MAX_MS)) return;
      const id = `${recipient_user_id} ${thread_id}`;
      const known = entries.get(id);
      const key = messageKey(thread_id, seq);
      const request = { recipient_user_id, sending_user_id, thread_id };
      if (known) announceNewer(known, key);
      else if (entries.size >= WAITING_MAX) requests.inc({ outcome: "dropped" });
      else entries.set(id, { key, request, dueAt: now + delayMs, dropAt: now + delayMs + KEPT_MS });
      schedule(delayMs);
    },

    /** Requests what is waiting, without the delay, and stops. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await running;
      while (entries.size > 0) await flush(Number.POSITIVE_INFINITY);
    },
  };
}

/**
 * Lets an entry announce another message of its thread, unless it is older: a repeated message can follow a newer one.
 */
function announceNewer(entry: Entry, key: string): void {
  if (key > entry.key) entry.key = key;
}
