import type { Call } from "@messageoh/contracts/client";
import { listRecentMessages } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Delivery } from "./delivery.ts";

const USERS_PER_CALL = 500;
const SWEEP_EVERY_MS = 15_000;
const SWEEP_LOOK_BACK_MS = 30_000;
/** While Redis is away, asking is the only way to learn of messages. */
const DEGRADED_EVERY_MS = 2_000;
/** Events may have been lost a while before the interruption was noticed. */
const OVERLAP_MS = 15_000;

export interface ReplayOptions {
  callMessages: Call;
  delivery: Delivery;
  localUsers: () => Iterable<string>;
  /** Whether events reach this instance now. */
  isLive: () => boolean;
  logger: Logger;
}

/**
 * Pub/sub is only the fast path. This repairs it from the database for the users of this instance: at once after an
 * interruption, every two seconds during one, and slowly at all times for what got lost without a trace.
 */
export function createReplay({ callMessages, delivery, localUsers, isLive, logger }: ReplayOptions) {
  async function since(moment: number): Promise<void> {
    const users = [...localUsers()];
    for (let start = 0; start < users.length; start += USERS_PER_CALL) {
      const body = { user_ids: users.slice(start, start + USERS_PER_CALL), since: new Date(moment).toISOString() };
      const { messages } = await callMessages(listRecentMessages, { body });
      for (const message of messages) delivery.deliverMissed(message);
    }
  }

  let timer: NodeJS.Timeout;
  function schedule(): void {
    const wait = isLive() ? SWEEP_EVERY_MS * (0.75 + Math.random() / 2) : DEGRADED_EVERY_MS;
    timer = setTimeout(async () => {
      await since(Date.now() - SWEEP_LOOK_BACK_MS).catch((err) => logger.debug({ err }, "sweep failed"));
      schedule();
    }, wait).unref();
  }
  schedule();

  return {
    /** Everything that events may have failed to bring since the interruption began. Tries until it is done. */
    async afterInterruption(goneSince: Date): Promise<void> {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        try {
          return await since(goneSince.getTime() - OVERLAP_MS);
        } catch (err) {
          logger.warn({ err }, "replay failed, trying again");
          await new Promise((resolve) => setTimeout(resolve, 500 * (1 + Math.random())));
        }
      }
    },
    close: () => clearTimeout(timer),
  };
}
