import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import type { ExportedMessage, Message } from "@messageoh/contracts/messages";
import type { AccountData } from "@messageoh/contracts/users";
import { createPauses, inParts, type Pause } from "@messageoh/service-kit/pauses";
import type { Marks } from "../changes/marks.model.ts";
import type { Markers } from "../markers/marker.model.ts";
import { LAST_SEQ, type MessageRow, type Messages, messageKey, toMessage } from "../messages/message.model.ts";

/** Messages of one read, at most about 600 kB, or ten times as much if each was edited ten times. */
const READ_BATCH = 50;
/** Threads whose drafts are read at once, at most about 1.2 MB. */
const DRAFTS_BATCH = 50;

type Thread = Pick<ThreadMembers, "thread_id"> & { user_ids: readonly string[] };

type MarksOf = Awaited<ReturnType<Marks["find"]>>;

/**
 * Resolves with whether the user may read all messages of a thread now, or else only the user's own. Rejects if the
 * user may read nothing any more.
 */
type MayReadAll = (threadId: string) => Promise<boolean>;

interface Source {
  thread: Thread;
  userId: string;
  marks: MarksOf;
  mayReadAll: MayReadAll;
  pause: Pause;
}

export type DataExport = ReturnType<typeof createDataExport>;

/** Creates the download of a user's data. */
export function createDataExport(messages: Messages, markers: Markers, marks: Marks) {
  /** Returns the shown messages of a thread that the user may read. */
  async function* batchesOf({
    thread,
    userId,
    marks: { isShown, starredIn },
    mayReadAll,
    pause,
  }: Source): AsyncGenerator<ExportedMessage[]> {
    const markerOf = await markers.find([thread]);
    const isRead = ({ seq, recipient_user_id }: MessageRow) =>
      seq <= markerOf(thread.thread_id, recipient_user_id).read_seq;
    const starred = new Set(starredIn(thread.thread_id));
    for (let after = 0; ; ) {
      // A cursor would expire while a slow client reads.
      const range = { $gt: messageKey(thread.thread_id, after), $lte: messageKey(thread.thread_id, LAST_SEQ) };
      await pause();
      const filter = (await mayReadAll(thread.thread_id)) ? { _id: range } : { _id: range, sending_user_id: userId };
      const rows = await messages.find(filter).sort({ _id: 1 }).limit(READ_BATCH).toArray();
      yield rows.filter(isShown).map((row) => ({
        ...withEdits(row, toMessage(row, isRead(row))),
        ...(starred.has(row.seq) && { is_starred: true }),
      }));
      if (rows.length < READ_BATCH) return;
      after = (rows.at(-1) as MessageRow).seq;
    }
  }

  /**
   * Returns the JSON text of a user's data in parts, with one message per line. Of threads with former friends it
   * contains the user's own messages only. It leaves out what the user has hidden. It reads {@link READ_BATCH} messages
   * for each part that the caller takes, so it needs little memory however long the history is.
   * @param mayReadAll is called before each read, because a slow client reads for hours
   * @param pause waits between two reads, so that an export slows no message
   */
  return async function* exportParts(
    account: AccountData,
    threads: readonly ThreadMembers[],
    mayReadAll: MayReadAll,
    pause = createPauses(),
  ): AsyncGenerator<string> {
    const own = account.account.id;
    const former = (account.former_friends ?? []).map(({ id, thread_id }) => ({ thread_id, user_ids: [own, id] }));
    const fields = Object.entries(account).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    yield `{${fields.join(",\n")},\n"drafts": [`;
    let separator = "\n";
    for (const part of inParts([...threads, ...former], DRAFTS_BATCH)) {
      await pause();
      const { draftIn } = await marks.find(part, own, {});
      const drafts = part.flatMap(({ thread_id }) => {
        const text = draftIn(thread_id)?.text;
        return text ? [JSON.stringify({ thread_id, text })] : [];
      });
      if (drafts.length === 0) continue;
      yield separator + drafts.join(",\n");
      separator = ",\n";
    }
    yield `\n],\n"messages": [`;
    separator = "\n";
    const marksOf = await marks.find([...threads, ...former], own);
    for (const thread of [...threads, ...former]) {
      for await (const batch of batchesOf({ thread, userId: own, marks: marksOf, mayReadAll, pause })) {
        if (batch.length === 0) continue;
        yield separator + batch.map((message) => JSON.stringify(message)).join(",\n");
        separator = ",\n";
      }
    }
    yield "\n]}\n";
  };
}

function withEdits({ edits }: MessageRow, message: Message): ExportedMessage {
  return edits ? { ...message, edits: edits.map(({ text, at }) => ({ text, at: at.toISOString() })) } : message;
}
