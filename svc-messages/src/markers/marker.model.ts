import type { Marker } from "@messageoh/contracts/messages";
import { nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";

/** How far a user has read a thread, and how far it has reached one of the user's browsers. Both only grow. */
export interface MarkerRow {
  /** `thread_id:user_id` */
  _id: string;
  read_seq: number;
  delivered_seq: number;
}

const markerId = (threadId: string, userId: string) => `${threadId}:${userId}`;
const fieldOf = (kind: Marker["kind"]) => (kind === "read" ? "read_seq" : "delivered_seq");
const UNREAD: Omit<MarkerRow, "_id"> = { read_seq: 0, delivered_seq: 0 };

export type Markers = ReturnType<typeof createMarkers>;

export function createMarkers(connection: Connection) {
  const markers = nativeCollection<MarkerRow>(connection, "markers");

  async function readRows(ids: string[]) {
    const rows = await markers.find({ _id: { $in: ids } }).toArray();
    const byId = new Map(rows.map((row) => [row._id, row]));
    return (threadId: string, userId: string) => byId.get(markerId(threadId, userId)) ?? UNREAD;
  }

  return {
    /** Moves markers forward. Returns those that were not there yet. */
    async advance(wanted: readonly Marker[]): Promise<Marker[]> {
      const rows = await readRows(wanted.map(({ thread_id, user_id }) => markerId(thread_id, user_id)));
      const ahead = wanted.filter(({ kind, thread_id, user_id, seq }) => seq > rows(thread_id, user_id)[fieldOf(kind)]);
      if (ahead.length === 0) return [];
      await markers.bulkWrite(
        ahead.map(({ kind, thread_id, user_id, seq }) => ({
          updateOne: {
            filter: { _id: markerId(thread_id, user_id) },
            // What was read has arrived as well.
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

    /** Reads the markers of both members in each thread. */
    async find(threads: readonly { thread_id: string; user_ids: readonly string[] }[]) {
      return readRows(threads.flatMap((thread) => thread.user_ids.map((userId) => markerId(thread.thread_id, userId))));
    },
  };
}
