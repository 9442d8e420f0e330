import type { Draft } from "@messageoh/contracts/messages";
import { nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { type MessageRow, messageKey } from "../messages/message.model.ts";

/** What a user keeps about a thread. The other member never learns of it. */
interface MarksRow {
  /** `thread_id:user_id` */
  _id: string;
  /** Numbers of the messages that the user does not want to see any more. */
  hidden?: number[];
  /** Numbers of the messages that the user wants to find again. */
  starred?: number[];
  draft?: Draft;
}
export type Mark = "hidden" | "starred";

/**
 * Largest size of all drafts of a user in UTF-8, which takes up to 6 MB of JSON. The list of threads has room for it.
 */
export const DRAFTS_MAX_BYTES = 1_000_000;

/** A message that a user marks. */
export interface Marked {
  thread_id: string;
  user_id: string;
  seq: number;
}

const marksId = (threadId: string, userId: string) => `${threadId}:${userId}`;
const NONE: ReadonlySet<number> = new Set();
/** Drafts are as long as messages, and only the list of threads and the download contain them. */
const WITHOUT_DRAFTS = { projection: { draft: 0 } } as const;

export type Marks = ReturnType<typeof createMarks>;

/** Creates the access to what users keep about their threads. */
export function createMarks(connection: Connection) {
  const marks = nativeCollection<MarksRow>(connection, "marks");
  const of = (threads: readonly { thread_id: string }[], userId: string) => ({
    _id: { $in: threads.map(({ thread_id }) => marksId(thread_id, userId)) },
  });

  return {
    /** Marks a message for a user. Resolves with false if the user has marked `max` others in the thread. */
    async add(mark: Mark, { thread_id, user_id, seq }: Marked, max: number): Promise<boolean> {
      const marked = { $ifNull: [`$${mark}`, []] };
      const hasSpace = { $lt: [{ $size: marked }, max] };
      // One update, so that several devices cannot exceed the limit.
      const row = await marks.findOneAndUpdate(
        { _id: marksId(thread_id, user_id) },
        [{ $set: { [mark]: { $cond: [hasSpace, { $setUnion: [marked, [seq]] }, marked] } } }],
        { upsert: true, returnDocument: "after", ...WITHOUT_DRAFTS },
      );
      return row?.[mark]?.includes(seq) === true;
    },

    /** Removes a mark. */
    async remove(mark: Mark, { thread_id, user_id, seq }: Marked): Promise<void> {
      const _id = marksId(thread_id, user_id);
      await marks.updateOne({ _id }, { $pull: { [mark]: seq } });
    },

    /** Saves a draft. The last call wins. */
    async saveDraft(threadId: string, userId: string, text: string): Promise<Draft> {
      const row = await marks.findOneAndUpdate(
        { _id: marksId(threadId, userId) },
        { $set: { "draft.text": text }, $inc: { "draft.rev": 1 } },
        { upsert: true, returnDocument: "after", projection: { draft: 1 } },
      );
      return row?.draft as Draft;
    },

    /** Resolves with the size of a user's drafts in these threads, in bytes. */
    async draftBytes(threads: readonly { thread_id: string }[], userId: string): Promise<number> {
      const bytes = { $sum: { $strLenBytes: { $ifNull: ["$draft.text", ""] } } };
      const [all] = await marks
        .aggregate<{ bytes: number }>([{ $match: of(threads, userId) }, { $group: { _id: null, bytes } }])
        .toArray();
      return all?.bytes ?? 0;
    },

    /** Removes all that a user keeps about a thread. */
    async forget(threadId: string, userId: string): Promise<void> {
      await marks.deleteOne({ _id: marksId(threadId, userId) });
    },

    /** Resolves with the keys of the messages that a user has starred in these threads. */
    async findStarred(threads: readonly { thread_id: string }[], userId: string): Promise<string[]> {
      if (threads.length === 0) return [];
      const rows = await marks
        .find({ ...of(threads, userId), "starred.0": { $exists: true } }, { projection: { starred: 1 } })
        .toArray();
      return rows.flatMap(({ _id, starred = [] }) => {
        const threadId = _id.slice(0, _id.lastIndexOf(":"));
        return starred.map((seq) => messageKey(threadId, seq));
      });
    },

    /** Resolves with the functions that tell what a user keeps about these threads. */
    async find(threads: readonly { thread_id: string }[], userId: string, options: object = WITHOUT_DRAFTS) {
      const rows = threads.length === 0 ? [] : await marks.find(of(threads, userId), options).toArray();
      const byId = new Map(rows.map((row) => [row._id, { ...row, hidden: new Set(row.hidden) }]));
      const marksIn = (threadId: string) => byId.get(marksId(threadId, userId));
      const hiddenIn = (threadId: string): ReadonlySet<number> => marksIn(threadId)?.hidden ?? NONE;
      return {
        hiddenIn,
        isShown: ({ thread_id, seq }: Pick<MessageRow, "thread_id" | "seq">) => !hiddenIn(thread_id).has(seq),
        starredIn: (threadId: string): readonly number[] => marksIn(threadId)?.starred ?? [],
        draftIn: (threadId: string): Draft | undefined => marksIn(threadId)?.draft,
      };
    },
  };
}
