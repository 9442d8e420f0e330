import { HIDDEN_MAX } from "@messageoh/contracts/limits";
import { nativeCollection, QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { byThread } from "../messages/byThread.ts";
import type { MessageRow } from "../messages/message.model.ts";

/** Messages of a thread that a user has hidden. The other member never learns of it. */
interface MarksRow {
  /** `thread_id:user_id` */
  _id: string;
  /** Numbers of the messages that the user does not want to see any more, at most {@link HIDDEN_MAX}. */
  hidden: number[];
}

const NONE: ReadonlySet<number> = new Set();
const marksId = (threadId: string, userId: string) => `${threadId}:${userId}`;

export type Hidden = ReturnType<typeof createHidden>;

/** Creates the access to the messages that users have hidden from themselves. */
export function createHidden(connection: Connection) {
  const marks = byThread(nativeCollection<MarksRow>(connection, "marks"));

  return {
    /** Hides a message from a user. Resolves with false if the user has hidden {@link HIDDEN_MAX} others in the thread. */
    async hide(threadId: string, userId: string, seq: number): Promise<boolean> {
      const hidden = { $ifNull: ["$hidden", []] };
      const hasSpace = { $lt: [{ $size: hidden }, HIDDEN_MAX] };
      // One update, so that several devices cannot exceed the limit.
      const row = await marks.findOneAndUpdate(
        { _id: marksId(threadId, userId) },
        [{ $set: { hidden: { $cond: [hasSpace, { $setUnion: [hidden, [seq]] }, hidden] } } }],
        { upsert: true, returnDocument: "after", maxTimeMS: QUERY_MAX_MS },
      );
      return row?.hidden.includes(seq) === true;
    },

    /** Shows a message to a user again. */
    async show(threadId: string, userId: string, seq: number): Promise<void> {
      const filter = { _id: marksId(threadId, userId) };
      await marks.updateOne(filter, { $pull: { hidden: seq } }, { maxTimeMS: QUERY_MAX_MS });
    },

    /** Resolves with the functions that tell which messages of these threads are hidden from a user. */
    async find(threads: readonly { thread_id: string }[], userId: string) {
      const ids = threads.map(({ thread_id }) => marksId(thread_id, userId));
      const rows = ids.length === 0 ? [] : await marks.find({ _id: { $in: ids } }).toArray();
      const byId = new Map(rows.map(({ _id, hidden }) => [_id, new Set(hidden)]));
      const numbersIn = (threadId: string): ReadonlySet<number> => byId.get(marksId(threadId, userId)) ?? NONE;
      const isShown = ({ thread_id, seq }: Pick<MessageRow, "thread_id" | "seq">) => !numbersIn(thread_id).has(seq);
      return { numbersIn, isShown };
    },
  };
}
