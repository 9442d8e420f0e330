import type { Call } from "@messageoh/contracts/client";
import { finishDeletion, listDeletions } from "@messageoh/contracts/users";
import type { Logger } from "@messageoh/service-kit/logger";
import { LRUCache } from "lru-cache";
import type { Members } from "../threads/members.ts";

const POLL_EVERY_MS = 1_000;
/** More than svc-users lists at once. */
const DONE_MAX = 10_000;

export interface DeletionPollOptions {
  callUsers: Call;
  members: Members;
  removeTexts: (threadId: string, userId: string) => Promise<void>;
  logger: Logger;
}

/** Creates the part of this service in the deletion of accounts, which svc-users owns. */
export function createDeletionPoll({ callUsers, members, removeTexts, logger }: DeletionPollOptions) {
  const done = new LRUCache<string, true>({ max: DONE_MAX });
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Closes the threads of deleted accounts on this instance and replaces their texts. Rejects if svc-users fails. */
  async function run(): Promise<void> {
    const { deletions } = await callUsers(listDeletions);
    for (const { user_id, texts, is_open } of deletions) {
      if (done.has(user_id) || isClosed) continue;
      // Replaces the cached threads by closed ones, so that no new text follows.
      const threads = await members.listOf(user_id);
      if (texts === "remove") for (const { thread_id } of threads) await removeTexts(thread_id, user_id);
      if (is_open) {
        await callUsers(finishDeletion, { params: { user_id } });
        logger.info({ user_id, threads: threads.length, texts }, "account deletion finished");
      }
      done.set(user_id, true);
    }
  }

  return {
    run,
    /** Runs every second until `close`. */
    start(): void {
      const poll = async () => {
        await run().catch((err) => logger.debug({ err }, "poll of deletions failed"));
        if (!isClosed) timer = setTimeout(poll, POLL_EVERY_MS).unref();
      };
      void poll();
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
