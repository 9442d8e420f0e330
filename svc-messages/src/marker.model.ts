import type { Marker } from "@messageoh/contracts/messages";
import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";

/** How far a user has read a thread, and how far it has reached one of the user's browsers. Both only grow. */
export interface MarkerRow {
  /** `thread_id:user_id` */
  _id: string;
  read_seq: number;
  delivered_seq: number;
}

const markerId = (threadId: string, userId: string) => `${threadId}:${userId}`;
const UNREAD: Omit<MarkerRow, "_id"> = { read_seq: 0, delivered_seq: 0 };

export type Markers = ReturnType<typeof createMarkers>;

export function createMarkers(connection: Connection) {
  const markers = nativeCollection<MarkerRow>(connection, "markers");
  return {
    /** Moves a marker forward. Answers whether it moved. */
    async advance({ kind, thread_id, user_id, seq }: Marker): Promise<boolean> {
      const _id = markerId(thread_id, user_id);
      const field = kind === "read" ? "read_seq" : "delivered_seq";
      // What was read has arrived as well.
      const forward = kind === "read" ? { read_seq: seq, delivered_seq: seq } : { delivered_seq: seq };
      const move = async () => {
        const result = await markers.updateOne({ _id, [field]: { $lt: seq } }, { $max: forward });
        return result.matchedCount > 0;
      };
      if (await move()) return true;
      try {
        await markers.insertOne({ _id, ...UNREAD, ...forward });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return move();
      }
    },

    /** Reads the markers of both members in each thread. */
    async find(threads: readonly { thread_id: string; user_ids: readonly string[] }[]) {
      const ids = threads.flatMap((thread) => thread.user_ids.map((userId) => markerId(thread.thread_id, userId)));
      const rows = await markers.find({ _id: { $in: ids } }).toArray();
      const byId = new Map(rows.map((row) => [row._id, row]));
      return (threadId: string, userId: string) => byId.get(markerId(threadId, userId)) ?? UNREAD;
    },
  };
}
