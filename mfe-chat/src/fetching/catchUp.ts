import { PAGE_MAX_MESSAGES } from "@messageoh/contracts/limits";
import type { ThreadState } from "@messageoh/contracts/messages";
import type { Friend } from "@messageoh/contracts/users";
import pLimit from "p-limit";
import type { Store } from "../state/store.ts";
import { hasChangeGap } from "../state/thread/changeRules.ts";
import { hasGap } from "../state/thread/window.ts";
import { backoffMs } from "../time/backoff.ts";
import { type ChatApi, PAGE_LIMIT } from "./chatApi.ts";

/** Interval while live events arrive. The server announces when some may have been lost. */
export const POLL_MS = 5 * 60_000;
/** Interval without live events, unless the server asks for a longer one. */
const POLL_WITHOUT_EVENTS_MS = 5_000;
const POLL_WITHOUT_EVENTS_MAX_MS = 30_000;
/**
 * Maximum number of missing messages, or changes of them, to fetch. Beyond it, the thread restarts at its newest page.
 */
const MISSING_MAX = 1_000;
const THREADS_AT_ONCE = 4;

export interface CatchUpOptions {
  api: Pick<ChatApi, "friends" | "threads" | "page" | "changes">;
  store: Store;
  /** Live events arrive, so polling is only a safety net. */
  isLive: () => boolean;
  onResult: (isHttpUp: boolean) => void;
  /** Called with friends that were added without an event. */
  onNewFriends: (friendIds: readonly string[]) => void;
}

export type CatchUp = ReturnType<typeof createCatchUp>;

/**
 * Returns a poller that compares the threads with the server and fetches missing messages and changes. Live events are
 * fast, but only HTTP responses are complete.
 */
export function createCatchUp(options: CatchUpOptions) {
  const { api, store, isLive, onResult, onNewFriends } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** By the clock of the timers: unlike the time of day, it pauses with them while the computer sleeps. */
  let timerDue = Number.POSITIVE_INFINITY;
  /** Increases with every connection; responses to requests of an earlier epoch are discarded. */
  let epoch = 0;
  let isRunning = false;
  let isStarted = false;
  let isRunRequested = false;
  /** Events of friends may have been lost: changes of names and avatars, which the threads do not show. */
  let areFriendsStale = false;
  let failures = 0;
  /**
   * Consecutive lists that lacked the thread of a friend: svc-messages learns of a friendship up to a second later.
   */
  let incomplete = 0;
  let withoutEventsMs = POLL_WITHOUT_EVENTS_MS;

  const regularMs = () => (isLive() ? POLL_MS : withoutEventsMs) * (0.75 + Math.random() / 2);

  function schedule(ms: number): void {
    if (!isStarted || performance.now() + ms >= timerDue) return;
    clearTimeout(timer);
    timerDue = performance.now() + ms;
    timer = setTimeout(() => {
      timerDue = Number.POSITIVE_INFINITY;
      void run();
    }, ms);
  }

  async function run(): Promise<void> {
    if (isRunning) {
      isRunRequested = true;
      return;
    }
    const started = epoch;
    const isCurrent = () => isStarted && started === epoch;
    isRunning = true;
    isRunRequested = false;
    try {
      await compare(isCurrent);
      if (!isCurrent()) return;
      failures = 0;
      onResult(true);
    } catch {
      if (!isCurrent()) return;
      failures += 1;
      onResult(false);
    } finally {
      if (isCurrent()) {
        isRunning = false;
        if (isRunRequested) schedule(0);
        else schedule(failures > 0 ? Math.min(regularMs(), backoffMs(failures)) : regularMs());
      }
    }
  }

  async function compare(isCurrent: () => boolean): Promise<void> {
    const { friends: before, markLog } = store.get();
    const threads = await api.threads();
    if (!isCurrent()) return;
    store.dispatch({ type: "threadsSynced", threads, marksFrom: markLog.length });
    if (areFriendsStale || isListChanged(threads, before)) await loadFriends(isCurrent);
    if (!isCurrent()) return;
    incomplete = threads.length < store.get().friends.size ? incomplete + 1 : 0;
    if (incomplete > 0) schedule(backoffMs(incomplete));
    const { openFriendId } = store.get();
    const waiting = [...store.get().threads.values()]
      .filter((thread) => hasGap(thread) || hasChangeGap(thread))
      .sort((a, b) => Number(b.friendId === openFriendId) - Number(a.friendId === openFriendId))
      .map((thread) => thread.threadId);
    await pLimit(THREADS_AT_ONCE).map(waiting, async (threadId) => {
      await fillGap(threadId, isCurrent);
      await fillChanges(threadId, isCurrent);
    });
  }

  /** Returns whether a friend was added or removed without an event. */
  function isListChanged(threads: readonly ThreadState[], before: ReadonlyMap<string, Friend>): boolean {
    const { friends } = store.get();
    const listed = new Set(threads.map((thread) => thread.friend_id));
    return (
      [...listed].some((id) => !friends.has(id)) || [...before.keys()].some((id) => friends.has(id) && !listed.has(id))
    );
  }

  async function loadFriends(isCurrent: () => boolean): Promise<void> {
    const before = store.get().friends;
    // A change that is lost from now on makes them stale again.
    areFriendsStale = false;
    const friends = await api.friends().catch((error: unknown) => {
      areFriendsStale = true;
      throw error;
    });
    if (!isCurrent()) return;
    const added = friends.map(({ id }) => id).filter((id) => !store.get().friends.has(id));
    store.dispatch({ type: "friendsListed", friends, before });
    if (added.length > 0) onNewFriends(added);
  }

  async function fillGap(threadId: string, isCurrent: () => boolean): Promise<void> {
    for (;;) {
      const thread = store.get().threads.get(threadId);
      if (!thread || !hasGap(thread) || !isCurrent()) return;
      const { knownSeq, lastSeq } = thread;
      const isFar = lastSeq - knownSeq > MISSING_MAX;
      const range = isFar ? { limit: PAGE_LIMIT } : { after: knownSeq, limit: PAGE_MAX_MESSAGES };
      const request = { ...range, finalSeq: knownSeq };
      const messages = await api.page(threadId, range);
      if (!isCurrent()) return;
      if (messages.length === 0) return store.dispatch({ type: "gapDenied", threadId, seq: knownSeq });
      if (isFar) store.dispatch({ type: "pageLoaded", threadId, messages, place: "newest", request });
      else store.dispatch({ type: "messagesReceived", messages, request });
      // A response without progress would not help the second time; the next poll retries.
      if (store.get().threads.get(threadId)?.knownSeq === knownSeq) return;
    }
  }

  /** Fetches the changes of messages that the page has missed. */
  async function fillChanges(threadId: string, isCurrent: () => boolean): Promise<void> {
    for (;;) {
      const thread = store.get().threads.get(threadId);
      if (!thread || thread.knownChange === null || !hasChangeGap(thread) || !isCurrent()) return;
      const { knownChange, knownSeq, lastChange } = thread;
      if (lastChange - knownChange > MISSING_MAX) {
        const messages = await api.page(threadId, {});
        if (!isCurrent()) return;
        const request = { limit: PAGE_LIMIT, finalSeq: knownSeq };
        return store.dispatch({ type: "threadRestarted", threadId, messages, request, change: lastChange });
      }
      const messages = await api.changes(threadId, knownChange);
      if (!isCurrent()) return;
      const upTo = messages.at(-1)?.change ?? 0;
      // The rest is of messages that the user has hidden, or the server does not know it yet: the next poll asks again.
      if (upTo <= knownChange) return;
      store.dispatch({ type: "changesLoaded", threadId, messages, upTo });
    }
  }

  return {
    /** Starts polling. */
    start(): void {
      isStarted = true;
      schedule(regularMs());
    },
    stop(): void {
      isStarted = false;
      isRunning = false;
      epoch += 1;
      clearTimeout(timer);
      timerDue = Number.POSITIVE_INFINITY;
    },
    /** Polls again after a reconnect: responses to earlier requests may lack messages that were stored since. */
    restart(): void {
      epoch += 1;
      isRunning = false;
      areFriendsStale = true;
      schedule(0);
    },
    request: (delayMs = 0) => schedule(delayMs),
    /** Polls after a delay, because the server may have lost events. */
    resync(delayMs: number): void {
      areFriendsStale = true;
      schedule(delayMs);
    },
    /** Sets the interval of polls without live events. The server asks for a longer one if it has many clients. */
    pollEvery(ms: number): void {
      withoutEventsMs = Math.min(POLL_WITHOUT_EVENTS_MAX_MS, Math.max(POLL_WITHOUT_EVENTS_MS, ms));
    },
    /** Recomputes the poll interval, which is shorter without live events. */
    reconsider: () => schedule(regularMs()),
  };
}
