import { listStarred } from "@messageoh/contracts/changes";
import { getAccountData, type ThreadMembers } from "@messageoh/contracts/internal/users";
import * as contract from "@messageoh/contracts/messages";
import { createDownloads } from "@messageoh/service-kit/downloads";
import { badRequest, callFailed } from "@messageoh/service-kit/errors";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import { Histogram } from "@messageoh/service-kit/metrics";
import type { Routes } from "@messageoh/service-kit/routes";
import { JsonStream } from "@messageoh/service-kit/routes";
import type * as v from "valibot";
import type { Deps } from "./deps.ts";

const catchUpSize = new Histogram({
  name: "messageoh_messages_catch_up_size",
  help: "Messages of one page that a client requested after its last known message",
  buckets: [0, 1, 5, 10, 20, 50, 100, 200],
});

/**
 * Limits of searches and of lists of messages of all threads of a user, which take up to 40 MB and many database reads.
 */
const LISTS = { working: 2, begun: 4, waitingPerKey: 10, pauseFactor: 4 };
/**
 * Limits of lists of threads, which every client requests when it connects, and which take up to 15 MB. With a hundred
 * friends a list needs no pause; one with a thousand must not take a core for 40 ms, because messages wait behind it.
 */
const THREADS = { working: 8, begun: 12, waitingPerKey: 10, pauseFactor: 4, unpausedMs: 10 };
/** Downloads at the same time. Each keeps up to two batches of messages in memory. */
const DOWNLOADS_MAX = 20;
/** Limits of pages of one thread: a browser requests up to six at a time, and a page is at most about a megabyte. */
const PAGES = { working: 16, waitingPerKey: 50, pauseFactor: 4 };

/** Mounts the endpoints that browsers call. */
export function messageRoutes(
  routes: Routes,
  { attachedPage, callUsers, exportParts, history, limits, members, moveMarker, search, threads, threadStates }: Deps,
): void {
  const lists = createFairQueue(LISTS);
  const threadLists = createFairQueue(THREADS);
  const pages = createFairQueue(PAGES);
  const takeDownload = createDownloads(DOWNLOADS_MAX);

  routes.signedIn(contract.listMessages, async ({ session, query, isGone }) => {
    const userId = session.user.id;
    const { thread_id, before_seq, after_seq, after_change, before_id, from, pinned, attached, limit } = query;
    const { search: text } = query;
    if (text !== undefined) await limits.searches.take(userId);
    else if (thread_id === undefined) await limits.lists.take(userId);
    refuseContradictions(query);
    const searchIn = (find: () => Promise<ThreadMembers[]>, text: string) =>
      lists(
        userId,
        isGone,
        (pause, searched) => search.find(searched, userId, { text, before_id, limit }, pause),
        async () => search.prepare(await find(), isGone),
      );
    if (thread_id === undefined) {
      const list = () => members.listOf(userId);
      if (text !== undefined) return searchIn(list, text);
      return lists(userId, isGone, (pause, own) => history.newest(own, userId, limit, pause), list);
    }
    const thread = await members.findForMember(thread_id, userId);
    if (attached) {
      const queue = text === undefined ? pages : lists;
      return queue(userId, isGone, () => attachedPage(thread, userId, { before: before_seq, name: text, limit }));
    }
    if (text !== undefined) return searchIn(async () => [thread], text);
    return pages(userId, isGone, async () => {
      if (after_change !== undefined) return history.changed(thread, userId, after_change, limit);
      if (pinned) return history.pinned(thread, userId);
      const place = { before: before_seq, after: after_seq, from: from === undefined ? undefined : new Date(from) };
      const page = await history.page(thread, userId, place, limit);
      if (after_seq !== undefined) catchUpSize.observe(page.length);
      return page;
    });
  });

  routes.signedIn(contract.exportData, async ({ session, requireSession, ctx }) => {
    const { id } = session.user;
    takeDownload(id, ctx.res);
    const own = await members.listOf(id);
    const account = await callUsers(getAccountData, { params: { user_id: id } }).catch(callFailed);
    const ownIds = new Set(own.map(({ thread_id }) => thread_id));
    const former = (account.former_friends ?? []).filter(({ thread_id }) => !ownIds.has(thread_id));
    const lastSeqs = await threads.findLastSeqs([...own, ...former].map(({ thread_id }) => thread_id));
    const total = own.reduce((sum, { thread_id }) => sum + (lastSeqs.get(thread_id) ?? 0), 0);
    ctx.set(contract.EXPORT_TOTAL_HEADER, String(total));
    // A pair with a block that was never friends has no messages, and must not learn of the block.
    const former_friends = former.filter(({ thread_id }) => lastSeqs.has(thread_id));
    const mayReadAll = async (threadId: string) => {
      await requireSession();
      return ownIds.has(threadId) && (await members.find(threadId, id)) !== null;
    };
    return new JsonStream(exportParts({ ...account, former_friends }, own, mayReadAll));
  });

  routes.signedIn(contract.listThreads, async ({ session, isGone }) => {
    const { id } = session.user;
    return threadLists(
      id,
      isGone,
      (pause, own) => threadStates(own, id, pause),
      () => members.listOfCached(id),
    );
  });

  routes.signedIn(listStarred, async ({ session, query, isGone }) => {
    const { id } = session.user;
    return lists(
      id,
      isGone,
      (_, own) => history.starred(own, id, query),
      () => members.listOf(id),
    );
  });

  routes.signedIn(contract.updateMessageRead, async ({ session, body, requestId }) => {
    const user_id = session.user.id;
    const thread = await members.findForMember(body.thread_id, user_id);
    const seq = body.seq ?? Number.MAX_SAFE_INTEGER;
    const marker = { kind: "read" as const, thread_id: thread.thread_id, user_id, seq };
    const { kind: _, ...moved } = await moveMarker({ thread, marker, requestId });
    return moved;
  });
}

/** Throws 400 if a query names two places, or a place in a thread without the thread. */
function refuseContradictions(query: v.InferOutput<typeof contract.listMessages.query>): void {
  const { thread_id, before_seq, after_seq, after_change, before_id, from, pinned, attached } = query;
  if (before_seq !== undefined && after_seq !== undefined) throw badRequest("Either before_seq or after_seq");
  if (attached && [after_seq, after_change, before_id].some((place) => place !== undefined)) {
    throw badRequest("Messages with attachments are paged by before_seq");
  }
  const ofThread = [before_seq, after_seq, after_change, from, pinned, attached];
  if (thread_id === undefined && ofThread.some((place) => place !== undefined))
    throw badRequest("thread_id is missing");
}
