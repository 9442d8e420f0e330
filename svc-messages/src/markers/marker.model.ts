import type { Marker } from "@messageoh/contracts/internal/messages";
import { nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";

/** The read marker and the delivery receipt of a user in a thread. Both only grow. */
interface MarkerRow {
  /** `thread_id:user_id` */
  _id: string;
  read_seq: number;
  delivered_seq: number;
}

const markerId = (threadId: string, userId: string) => `${threadId}:${userId}`;
const fieldOf = (kind: Marker["kind"]) => (kind === "read" ? "read_seq" : "delivered_seq");
const UNREAD: Omit<MarkerRow, "_id"> = { read_seq: 0, delivered_seq: 0 };

export type Markers = ReturnType<typeof createMarkers>;

/** Creates the access to the collection of read markers and delivery receipts. */
export function createMarkers(connection: Connection) {
  const markers = nativeCollection<MarkerRow>(connection, "markers");

  async function readRows(ids: string[]) {
    const rows = await markers.find({ _id: { $in: ids } }).toArray();
    const byId = new Map(rows.map((row) => [row._id, row]));
    return (threadId: string, userId: string) => byId.get(markerId(threadId, userId)) ?? UNREAD;
  }

  return {
    /** Moves markers forward. Resolves with the markers that were ahead of the stored ones. */
    async advance(wanted: readonly Marker[]): Promise<Marker[]> {
      const rows = await readRows(wanted.map(({ thread_id, user_id }) => markerId(thread_id, user_id)));
      const ahead = wanted.filter(({ kind, thread_id, user_id, seq }) => seq > rows(thread_id, user_id)[fieldOf(kind)]);
      if (ahead.length === 0) return [];
      await markers.bulkWrite(
        ahead.map(({ kind, thread_id, user_id, seq }) => ({
          updateOne: {
            filter: { _id: markerId(thread_id, user_id) },
            // A message that was read was also delivered.
            update:
              kind === "read"
                ? { $max: { read_seq: seq, delivered_seq: seq } }
                : { $max: { delivered_seq: seq }, $setOnInsert: { read_seq: 0 } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
      return ahead;
    },

    /** Resolves with a function that returns the markers of a member of one of these threads. */
    async find(threads: readonly { thread_id: string; user_ids: readonly string[] }[]) {
      return readRows(threads.flatMap((thread) => thread.user_ids.map((userId) => markerId(thread.thread_id, userId))));
    },
  };
}
