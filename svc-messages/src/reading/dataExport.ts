import type { Message } from "@messageoh/contracts/messages";
import type { AccountData, ThreadMembers } from "@messageoh/contracts/users";
import type { Markers } from "../markers/marker.model.ts";
import { LAST_SEQ, type MessageRow, type Messages, messageKey, toMessage } from "../messages/message.model.ts";

/** Messages of one read, at most about 1.2 MB. */
const READ_BATCH = 100;

export type DataExport = ReturnType<typeof createDataExport>;

/** Creates the download of a user's data. */
export function createDataExport(messages: Messages, markers: Markers) {
  async function* batchesOf(thread: ThreadMembers): AsyncGenerator<Message[]> {
    const markerOf = await markers.find([thread]);
    const isRead = ({ seq, recipient_user_id }: MessageRow) =>
      seq <= markerOf(thread.thread_id, recipient_user_id).read_seq;
    for (let after = 0; ; ) {
      // A cursor would expire while a slow client reads.
      const range = { $gt: messageKey(thread.thread_id, after), $lte: messageKey(thread.thread_id, LAST_SEQ) };
      const rows = await messages.find({ _id: range }).sort({ _id: 1 }).limit(READ_BATCH).toArray();
      yield rows.map((row) => toMessage(row, isRead(row)));
      if (rows.length < READ_BATCH) return;
      after = (rows.at(-1) as MessageRow).seq;
    }
  }

  /**
   * Returns the JSON text of a user's data in parts, with one message per line. It reads {@link READ_BATCH} messages for each
   * part that the caller takes, so it needs little memory however long the history is.
   */
  return async function* exportParts(account: AccountData, threads: readonly ThreadMembers[]): AsyncGenerator<string> {
    const fields = Object.entries(account).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    yield `{${fields.join(",\n")},\n"messages": [`;
    let separator = "\n";
    for (const thread of threads) {
      for await (const batch of batchesOf(thread)) {
        if (batch.length === 0) continue;
        yield separator + batch.map((message) => JSON.stringify(message)).join(",\n");
        separator = ",\n";
      }
    }
    yield "\n]}\n";
  };
}
