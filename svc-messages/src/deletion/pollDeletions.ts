import type { Call } from "@messageoh/contracts/client";
import { finishDeletion, getAccountData, LISTED_MAX_USERS, listDeletions } from "@messageoh/contracts/internal/users";
import type { DeletedTexts } from "@messageoh/contracts/users";
import { atMost } from "@messageoh/service-kit/atMost";
import type { Logger } from "@messageoh/service-kit/logger";
import { inParts, sleep } from "@messageoh/service-kit/pauses";
import { pollEvery } from "@messageoh/service-kit/pollEvery";
import { createSparseLog } from "@messageoh/service-kit/sparseLog";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { Members } from "../threads/members.ts";

const POLL_EVERY_MS = 1_000;
/** Larger than the number of accounts that svc-users lists at once. */
const BEGUN_MAX = 10_000;
/** Accounts whose texts are replaced at the same time. */
const REPLACED_AT_ONCE = 4;
/**
 * Time between two passes over the texts of an account. An insert or the building of a search block that was under way
 * during a pass has ended by the next one: each of its two database calls fails after 20 s at the latest.
 */
const SETTLE_MS = 45_000;

export interface DeletionPollOptions {
  callUsers: Call;
  members: Members;
  /** Replaces a user's texts in a thread. Resolves with the number of replaced texts. */
  removeTexts: (threadId: string, userId: string) => Promise<number>;
  /** Removes what a user keeps about a thread. */
  forgetMarks: (threadId: string, userId: string) => Promise<void>;
  /** Time between two passes, in milliseconds. */
  settleMs?: number | undefined;
  logger: Logger;
}

/** Creates this service's part of the deletion of accounts, which svc-users owns. */
export function createDeletionPoll({
  callUsers,
  members,
  removeTexts,
  forgetMarks,
  settleMs = SETTLE_MS,
  logger,
}: DeletionPollOptions) {
  /** Accounts whose threads are closed on this instance, and whose texts are being replaced or have been. */
  const begun = new LRUCache<string, true>(atMost(BEGUN_MAX));
  const logFailure = createSparseLog(logger);
  const replacing = pLimit(REPLACED_AT_ONCE);

  /** Returns the closed threads of a deleted account. This instance looks them up again before it stores a message. */
  async function closeThreads(userId: string): Promise<string[]> {
    const threads = await members.listOf(userId);
    // A lookup that began before the threads were closed must not be cached, and a message that waits is looked up
    // again.
    for (const { thread_id, user_ids } of threads) members.forget(thread_id, user_ids);
    return threads.map(({ thread_id }) => thread_id);
  }

  /** Resolves with the number of replaced texts. */
  async function replaceTexts(userId: string): Promise<number> {
    let replaced = 0;
    for (const threadId of await closeThreads(userId)) replaced += await removeTexts(threadId, userId);
    return replaced;
  }

  /** Replaces the texts of an account until a later pass finds none. */
  async function replaceAll(userId: string): Promise<void> {
    for (let isFirst = true; !poll.isClosed(); isFirst = false) {
      const replaced = await replacing(() => replaceTexts(userId));
      if (replaced === 0 && !isFirst) return;
      await sleep(settleMs);
    }
  }

  /** Removes what a user keeps about all threads, also with former friends. */
  async function forgetAll(user_id: string): Promise<void> {
    const threadIds = await closeThreads(user_id);
    // After the threads: a friendship that ends meanwhile is then among the former friends.
    const { former_friends = [] } = await callUsers(getAccountData, { params: { user_id } });
    threadIds.push(...former_friends.map(({ thread_id }) => thread_id));
    for (const threadId of threadIds) await forgetMarks(threadId, user_id);
  }

  async function finish(user_id: string, texts: DeletedTexts, isOpen: boolean): Promise<void> {
    try {
      if (isOpen) await forgetAll(user_id);
      if (texts === "remove") await replaceAll(user_id);
      if (!isOpen || poll.isClosed()) return;
      await callUsers(finishDeletion, { params: { user_id } });
      logger.info({ user_id, texts }, "account deletion finished");
    } catch (err) {
      // The next poll begins again.
      begun.delete(user_id);
      logFailure(user_id, { err, user_id }, "account deletion failed");
    }
  }

  /**
   * Closes the threads of all deleted accounts on this instance and starts to replace their texts, which delays no
   * other account. Resolves with the started work. Rejects if svc-users fails.
   */
  async function run(): Promise<Promise<void>[]> {
    const { deletions } = await callUsers(listDeletions);
    const fresh = deletions.filter(({ user_id }) => !begun.has(user_id));
    const work: Promise<void>[] = [];
    for (const part of inParts(fresh, LISTED_MAX_USERS)) {
      const closing = await Promise.allSettled(part.map(({ user_id }) => closeThreads(user_id)));
      for (const [index, { user_id, texts, is_open }] of part.entries()) {
        // The next poll tries the others again.
        if (closing[index]?.status !== "fulfilled") continue;
        begun.set(user_id, true);
        work.push(finish(user_id, texts, is_open));
      }
    }
    return work;
  }

  const poll = pollEvery(POLL_EVERY_MS, run, (err) => logger.debug({ err }, "poll of deletions failed"));
  return { run, start: poll.start, close: poll.close };
}
