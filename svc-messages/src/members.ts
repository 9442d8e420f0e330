import { ApiError, type Call } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { getThreadMembers, listUserThreads, type ThreadMembers } from "@messageoh/contracts/users";
import { forbidden, unavailable } from "@messageoh/service-kit/errors";
import { LRUCache } from "lru-cache";

/** Threads, at most about 500 bytes each: 100 MB. */
const KNOWN_MAX = 200_000;
/** An entry of this age still serves and is looked up again: svc-users may be away. */
const REFRESH_AFTER_MS = 10 * 60_000;
/** Time until the next look-up of an old entry, unless this one succeeds. */
const REFRESH_RETRY_MS = 10_000;
/** How long the response for known threads may wait for the members of others. */
const SOON_MS = 20;
const LOOK_UPS_MAX = 200;

export type Members = ReturnType<typeof createMembers>;

/** The members of threads, as svc-users says, and remembered. */
export function createMembers(callUsers: Call, now = Date.now) {
  const known = new LRUCache<string, { thread: ThreadMembers; refreshAt: number }>({ max: KNOWN_MAX });
  const lookUps = new Map<string, Promise<ThreadMembers | null>>();
  /** Look-ups that take longer than {@link SOON_MS}. While there is one, nobody waits for others. */
  const late = new Set<string>();

  function remember(thread: ThreadMembers): void {
    known.set(thread.thread_id, { thread, refreshAt: now() + REFRESH_AFTER_MS });
  }

  async function ask(thread_id: string): Promise<ThreadMembers | null> {
    const timer = setTimeout(() => late.add(thread_id), SOON_MS);
    try {
      const { thread } = await callUsers(getThreadMembers, { params: { thread_id } });
      if (thread) remember(thread);
      else known.delete(thread_id);
      return thread;
    } catch (error) {
      if (!isRefusal(error)) throw cannotSay(error);
      known.delete(thread_id);
      return null;
    } finally {
      clearTimeout(timer);
      late.delete(thread_id);
      lookUps.delete(thread_id);
    }
  }

  function lookUp(threadId: string): Promise<ThreadMembers | null> {
    const running = lookUps.get(threadId);
    if (running) return running;
    if (lookUps.size >= LOOK_UPS_MAX) return Promise.reject(cannotSay("too many look-ups"));
    const asked = ask(threadId);
    lookUps.set(threadId, asked);
    return asked;
  }

  /** A thread that is remembered, without waiting. */
  function findKnown(threadId: string): ThreadMembers | undefined {
    const entry = known.get(threadId);
    if (entry && entry.refreshAt <= now()) {
      entry.refreshAt = now() + REFRESH_RETRY_MS;
      lookUp(threadId).catch(() => {});
    }
    return entry?.thread;
  }

  /** A thread's two members; null when there is no such thread. */
  const of = async (threadId: string): Promise<ThreadMembers | null> => findKnown(threadId) ?? lookUp(threadId);

  return {
    /** A thread's two members; null when there is no such thread, undefined when svc-users does not say so soon. */
    async soon(threadId: string): Promise<ThreadMembers | null | undefined> {
      const known = findKnown(threadId);
      if (known) return known;
      const asked = lookUp(threadId).catch(() => undefined);
      return late.size > 0 ? undefined : inTime(asked);
    },
    of,

    /** A thread that the user is in. Whether others exist is not told. */
    async threadOf(threadId: string, userId: string): Promise<ThreadMembers> {
      const thread = await of(threadId);
      if (!thread?.user_ids.includes(userId)) throw forbidden();
      return thread;
    },

    /** All threads of a user. */
    async threadsOf(user_id: string): Promise<ThreadMembers[]> {
      const threads = await callUsers(listUserThreads, { params: { user_id } }).catch((cause) => {
        throw cannotSay(cause);
      });
      for (const thread of threads) remember(thread);
      return threads;
    },
  };
}

/** Without an answer from svc-users nobody knows who is in a thread: 503, never a guess. */
const cannotSay = (cause: unknown) => unavailable(GENERIC_ERROR, cause);

/** What a promise that never rejects resolves with, unless that takes longer than {@link SOON_MS}. */
function inTime<T>(asked: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SOON_MS, undefined);
    asked.then(resolve).finally(() => clearTimeout(timer));
  });
}

/** svc-users does not know such a thread, as opposed to: it cannot say now. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

export const friendIn = (thread: ThreadMembers, userId: string): string =>
  thread.user_ids[0] === userId ? thread.user_ids[1] : thread.user_ids[0];
