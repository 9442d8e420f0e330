import type { Call } from "@messageoh/contracts/client";
import { listMissedMessages } from "@messageoh/contracts/internal/messages";
import { MISSED_MAX_MESSAGES, MISSED_MAX_RANGES, MISSED_MAX_USERS } from "@messageoh/contracts/limits";
import type { Message } from "@messageoh/contracts/messages";
import { combineCalls } from "@messageoh/service-kit/combineCalls";
import type { Logger } from "@messageoh/service-kit/logger";
import { sleep } from "@messageoh/service-kit/pauses";
import type { Positions } from "./positions.ts";

const CHECK_MS = 500;
/** Time between two reads while events are missing, in milliseconds. */
const READ_MS = 2_000;
/** The pause after a read is at least this multiple of its duration, so that a slow database is not overloaded. */
const PAUSE_PER_READ = 4;
/** Longest wait of a connecting client for a read. */
const CONNECT_MAX_MS = 5_000;
/** Clients that connect within this time share a read: after a failure, thousands reconnect. */
const CONNECT_SHARED_MS = 50;
const CONNECTING = { itemsMax: MISSED_MAX_USERS, waitingMax: 5_000, running: 2 };

export interface SilenceOptions {
  positions: Positions;
  callMessages: Call;
  localUsers: () => Iterable<string>;
  deliver: (message: Message) => void;
  /** Called when nothing is missing any more. */
  onEnd: () => void;
  /** Called twice per second and at once after changes. */
  onCheck: () => void;
  logger: Logger;
}

/**
 * While events of an svc-messages process are missing, reads what that process stored for the users of this instance. A
 * silence ends with a read that starts after the next beat.
 */
export function watchSilence({ positions, callMessages, localUsers, deliver, onEnd, onCheck, logger }: SilenceOptions) {
  let wasMissing = false;
  let nextReadAt = 0;

  async function readFor(user_ids: string[], ranges: [string, string][]): Promise<void> {
    for (let after: string | undefined; ; ) {
      const { messages } = await callMessages(listMissedMessages, { body: { user_ids, ranges, after } });
      for (const message of messages.toSorted((a, b) => a.seq - b.seq)) {
        deliver(message);
        positions.foundMessage(message.id);
      }
      after = messages.at(-1)?.id;
      if (messages.length < MISSED_MAX_MESSAGES) return;
    }
  }

  async function read(): Promise<void> {
    const missing = positions.missing().slice(0, MISSED_MAX_RANGES);
    if (missing.length === 0) return;
    nextReadAt = Number.POSITIVE_INFINITY;
    const beganAt = performance.now();
    let tookMs = 0;
    try {
      const users = [...localUsers()];
      const ranges = missing.map(({ range }) => range);
      for (let start = 0; start < users.length; start += MISSED_MAX_USERS) {
        await readFor(users.slice(start, start + MISSED_MAX_USERS), ranges);
      }
      for (const { found } of missing) found();
      tookMs = performance.now() - beganAt;
    } catch (err) {
      logger.debug({ err }, "read of missed messages failed");
    }
    nextReadAt = performance.now() + Math.max(READ_MS, PAUSE_PER_READ * tookMs);
    check();
  }

  /** Resolves with whether what is stored was read. */
  const readForConnecting = combineCalls(async (users: string[]) => {
    const ranges = positions.uncertain().slice(0, MISSED_MAX_RANGES);
    try {
      if (ranges.length > 0) await readFor(users, ranges);
      return users.map(() => true);
    } catch (err) {
      logger.debug({ err }, "read for connecting clients failed");
      return users.map(() => false);
    } finally {
      await sleep(CONNECT_SHARED_MS);
    }
  }, CONNECTING);

  function check(): void {
    positions.check();
    const isMissing = positions.isMissing();
    if (wasMissing && !isMissing) onEnd();
    wasMissing = isMissing;
    onCheck();
    if (isMissing && performance.now() >= nextReadAt) void read();
  }

  const timer = setInterval(check, CHECK_MS).unref();
  return {
    /** Reads now if something is missing. Call it after a beat or a loss. */
    check,
    /**
     * Reads what is stored for a user who connects, if the positions do not tell it. Rejects if this fails for
     * {@link CONNECT_MAX_MS}: the client would get what it requests again as events.
     */
    async beforeConnecting(userId: string): Promise<void> {
      const end = performance.now() + CONNECT_MAX_MS;
      for (let isRead = false; !isRead && positions.uncertain().length > 0; ) {
        const remainingMs = end - performance.now();
        if (remainingMs <= 0) throw new Error("What is stored for the user cannot be read");
        isRead = (await Promise.race([readForConnecting(userId), sleep(remainingMs)])) === true;
      }
    },
    close: () => clearInterval(timer),
  };
}
