import type { MessageReference } from "../links/messageLink.ts";
import { openThreadOf } from "../state/chatState.ts";
import type { Store } from "../state/store.ts";
import { segmentWith } from "../state/thread/segments.ts";
import type { Thread } from "../state/thread/thread.ts";
import type { PagePlace } from "../state/thread/threadRules.ts";
import { hasNewer, isLoaded, isTailReady, windowOf } from "../state/thread/window.ts";
import { type ChatApi, PAGE_LIMIT } from "./chatApi.ts";

/** Messages before the first unread one, and minimum on each side of a found one. */
const CONTEXT = 10;
const AFTER_FOUND = PAGE_LIMIT / 2;

type PageRequestKind = "first" | "more" | "latest" | `around ${number}`;

export type History = ReturnType<typeof createHistory>;

/** Returns a loader for pages of history. It never rejects: a failure is shown in its thread. */
export function createHistory({ api, store }: { api: Pick<ChatApi, "page" | "pinned">; store: Store }) {
  const inFlight = new Map<string, Promise<boolean>>();
  /** The latest jump, until its page has arrived or the user goes elsewhere: then its page must not move the view. */
  let jump: { threadId: string } | null = null;
  /** Friend id of the thread that was open at the last change. */
  let lastOpenId = store.get().openFriendId;
  /** Requests for quoted messages that are under way, or found nothing. */
  const quoted = new Map<string, Promise<boolean>>();
  const requestOf = (threadId: string, kind: PageRequestKind) => inFlight.get(`${threadId} ${kind}`);

  /** Runs one request of a kind at a time; a second caller waits for the first. Resolves with whether it succeeded. */
  function fetch(
    threadId: string,
    kind: PageRequestKind,
    range: { before?: number; after?: number },
    place: PagePlace,
  ): Promise<boolean> {
    const known = requestOf(threadId, kind);
    if (known) return known;
    const key = `${threadId} ${kind}`;
    const request = { ...range, limit: PAGE_LIMIT, finalSeq: threadOf(threadId)?.knownSeq ?? 0 };
    const fetched = api.page(threadId, range).then(
      (messages) => {
        store.dispatch({ type: "pageLoaded", threadId, messages, place, request });
        // At once, because the list asks for the next page as soon as React renders this one. Not before the dispatch,
        // in which `ensureOpen` would request a first page that loads nothing again and again.
        inFlight.delete(key);
        return true;
      },
      (error: unknown) => {
        console.warn("A page of history could not be loaded", error);
        store.dispatch({ type: "pageFailed", threadId });
        inFlight.delete(key);
        return false;
      },
    );
    inFlight.set(key, fetched);
    // Only now, because it makes others ask for the first page if it is missing.
    store.dispatch({ type: "pageStarted", threadId });
    return fetched;
  }

  /** Loads the newest page, or the page around the first unread message if the unread ones exceed a page. */
  function fetchFirst({ threadId, knownSeq, newFromSeq }: Thread): Promise<boolean> {
    const isFarBack = newFromSeq !== null && knownSeq - newFromSeq >= PAGE_LIMIT;
    if (!isFarBack) return fetch(threadId, "first", {}, "newest");
    const before = Math.max(1, newFromSeq - CONTEXT) + PAGE_LIMIT;
    return fetch(threadId, "first", { before }, { around: newFromSeq });
  }

  /**
   * Ends a jump when another thread, or none, is opened. The thread of the jump may open after its page has arrived.
   */
  function endJumpElsewhere(): void {
    const { openFriendId } = store.get();
    if (openFriendId === lastOpenId) return;
    lastOpenId = openFriendId;
    if (jump?.threadId !== openThreadOf(store.get())?.threadId) jump = null;
  }

  const threadOf = (threadId: string) => store.get().threads.get(threadId);

  return {
    /** Loads the first page of the open thread if it is missing. Call it whenever another thread may be open. */
    async ensureOpen(): Promise<void> {
      endJumpElsewhere();
      const thread = openThreadOf(store.get());
      if (!thread || isLoaded(thread) || thread.hasFailed || jump?.threadId === thread.threadId) return;
      await fetchFirst(thread);
    },

    async loadOlder(threadId: string): Promise<void> {
      const thread = threadOf(threadId);
      if (!thread) return;
      const { from } = windowOf(thread);
      if (from === 0 || !isLoaded(thread)) await fetchFirst(thread);
      else if (from > 1) await fetch(threadId, "more", { before: from }, "more");
      else store.dispatch({ type: "pageStarted", threadId });
    },

    async loadNewer(threadId: string): Promise<void> {
      const thread = threadOf(threadId);
      if (!thread || !hasNewer(thread)) return;
      const { to } = windowOf(thread);
      if (to > 0) await fetch(threadId, "more", { after: to }, "more");
    },

    /** Loads and shows the window around a message, unless the user goes elsewhere meanwhile (`left`). */
    async goTo({ thread_id: threadId, seq }: MessageReference): Promise<"shown" | "left" | "failed"> {
      const own = { threadId };
      jump = own;
      // The responses of these pages would move the window away from the message.
      const moving = [requestOf(threadId, "first"), requestOf(threadId, "latest")].filter(Boolean);
      if (moving.length > 0) await Promise.all(moving);
      if (jump !== own) return "left";
      const thread = threadOf(threadId);
      const before = Math.max(PAGE_LIMIT, seq + AFTER_FOUND) + 1;
      const isComplete =
        (thread && hasContext(thread, seq)) || (await fetch(threadId, `around ${seq}`, { before }, "more"));
      if (jump !== own) return "left";
      jump = null;
      // Without its page, a message at the edge of the window can still be shown.
      if (!isComplete && !isInWindow(threadOf(threadId), seq)) return "failed";
      store.dispatch({ type: "viewMoved", threadId, seq });
      return "shown";
    },

    /** Loads one message that another one quotes. Resolves with whether the server has responded. */
    loadQuoted(threadId: string, seq: number): Promise<boolean> {
      const key = `${threadId} ${seq}`;
      const known = quoted.get(key);
      if (known) return known;
      const request = { before: seq + 1, limit: 1, finalSeq: seq };
      const fetched = api.page(threadId, { before: seq + 1, limit: 1 }).then(
        (messages) => {
          store.dispatch({ type: "quotedLoaded", threadId, messages, request });
          // A message that does not exist is not requested again.
          if (messages.at(-1)?.seq === seq) quoted.delete(key);
          return true;
        },
        (error: unknown) => {
          console.warn("A quoted message could not be loaded", error);
          quoted.delete(key);
          return false;
        },
      );
      quoted.set(key, fetched);
      return fetched;
    },

    /** Loads the pinned messages of a thread. Resolves with whether it succeeded. */
    async loadPinned(threadId: string): Promise<boolean> {
      try {
        store.dispatch({ type: "pinnedLoaded", threadId, messages: await api.pinned(threadId) });
        return true;
      } catch (error) {
        console.warn("The pinned messages could not be loaded", error);
        return false;
      }
    },

    /** Loads and shows the newest messages. */
    async goToLatest(threadId: string): Promise<void> {
      if (jump?.threadId === threadId) jump = null;
      const thread = threadOf(threadId);
      if (!thread) return;
      if (isTailReady(thread)) store.dispatch({ type: "viewMoved", threadId, seq: null });
      else await fetch(threadId, "latest", {}, "newest");
    },
  };
}

function hasContext({ segments, knownSeq }: Thread, seq: number): boolean {
  const segment = segmentWith(segments, seq);
  if (!segment) return false;
  return segment.from <= Math.max(1, seq - CONTEXT) && segment.to >= Math.min(knownSeq, seq + CONTEXT);
}

function isInWindow(thread: Thread | undefined, seq: number): boolean {
  return thread !== undefined && segmentWith([windowOf(thread)], seq) !== undefined;
}
