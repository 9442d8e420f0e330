import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import type { Draft, ThreadState } from "@messageoh/contracts/messages";
import { createPauses, type Pause } from "@messageoh/service-kit/pauses";
import { type MessageRow, toMessage } from "../messages/message.model.ts";
import { friendIn } from "../threads/members.ts";
import type { HistoryDeps } from "./history.ts";
import { byTime, findNewest, firstWithin, LIST_MAX_BYTES } from "./pickNewest.ts";
import { createUnreadCounts } from "./unreadCounts.ts";

export type ThreadStates = ReturnType<typeof createThreadStates>;

/**
 * Returns a function that resolves with the state of each thread for a user. The last messages of the oldest threads are
 * omitted if all would exceed {@link LIST_MAX_BYTES} with the drafts and the numbers of marked messages.
 */
export function createThreadStates({ messages, threads, markers, marks }: HistoryDeps) {
  const unreadCounts = createUnreadCounts(messages);

  return async (
    of: readonly ThreadMembers[],
    userId: string,
    pause: Pause = createPauses(),
  ): Promise<ThreadState[]> => {
    // First, because a client takes all changes up to it to be in the messages that it gets with it or later.
    const lastChanges = await threads.findLastChanges(of.map(({ thread_id }) => thread_id));
    const [newest, markerOf, { hiddenIn, starredIn, draftIn, isShown }] = await Promise.all([
      findNewest(threads, of, pause),
      markers.find(of),
      marks.find(of, userId, {}),
    ]);
    const drafts = of.flatMap(({ thread_id }) => draftIn(thread_id) ?? []);
    const lasts = [...newest.values()].filter(isShown).sort(byTime);
    const markedBytes = of.reduce((bytes, { thread_id }) => {
      const digits = String(newest.get(thread_id)?.seq ?? 0).length;
      return bytes + (hiddenIn(thread_id).size + starredIn(thread_id).length) * (digits + 1);
    }, 0);
    // Drafts come first: a client takes one that is left out for one that was never saved. DRAFTS_MAX_BYTES leaves
    // room for all.
    const listed = firstWithin<Draft | MessageRow>([...drafts, ...lasts], LIST_MAX_BYTES - markedBytes);
    const unread = of.map(({ thread_id }) => ({
      ...{ thread_id, user_id: userId, read_seq: markerOf(thread_id, userId).read_seq },
      // The client counts later messages when it receives them.
      last_seq: newest.get(thread_id)?.seq ?? 0,
    }));
    const counts = await unreadCounts(unread, pause);
    return of.map((thread, index): ThreadState => {
      const { thread_id } = thread;
      const friend_id = friendIn(thread, userId);
      const last = newest.get(thread_id);
      const last_seq = last?.seq ?? 0;
      const own = markerOf(thread_id, userId);
      const friend = markerOf(thread_id, friend_id);
      const [hidden, starred, draft] = [hiddenIn(thread_id), starredIn(thread_id), draftIn(thread_id)];
      return {
        thread_id,
        friend_id,
        last_seq,
        last_change: lastChanges.get(thread_id) ?? 0,
        read_seq: own.read_seq,
        friend_read_seq: friend.read_seq,
        friend_delivered_seq: friend.delivered_seq,
        unread_count: counts[index] as number,
        last_message:
          last && listed.has(last)
            ? toMessage(last, last.seq <= (last.recipient_user_id === userId ? own : friend).read_seq)
            : null,
        ...(hidden.size > 0 && { hidden: [...hidden] }),
        ...(starred.length > 0 && { starred: [...starred] }),
        ...(draft && listed.has(draft) && { draft }),
      };
    });
  };
}
