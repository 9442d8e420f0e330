import type { ThreadMembers } from "@messageoh/contracts/users";
import { isDuplicateKey, QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import { type Connection, Schema } from "mongoose";
import { newId } from "../users/user.model.ts";

/** One document per pair of friends. It is never changed or removed. Its id is the id of the thread. */
export interface FriendshipRow {
  _id: string;
  /** Both ids, sorted and joined. The unique index allows one friendship per pair. */
  pair_key: string;
  user_ids: [string, string];
  created_at: Date;
}

const schema = new Schema<FriendshipRow>(
  {
    _id: { type: String, required: true },
    pair_key: { type: String, required: true },
    user_ids: { type: [String], required: true },
    created_at: { type: Date, required: true },
  },
  { versionKey: false },
);
schema.index({ pair_key: 1 }, { unique: true });
// Lists a user's friends.
schema.index({ user_ids: 1 });

export type FriendshipModel = ReturnType<typeof createFriendshipModel>;
export const createFriendshipModel = (connection: Connection) => connection.model("Friendship", schema, "friendships");

/** Returns the key of a pair of users, the same for both orders. */
export const pairKey = (userId: string, friendId: string): string => [userId, friendId].sort().join(":");

/** Returns the friendship of two users and creates it if necessary. It is safe to repeat and to run concurrently. */
export async function befriend(model: FriendshipModel, userId: string, friendId: string): Promise<FriendshipRow> {
  const user_ids = [userId, friendId].sort() as [string, string];
  const pair_key = pairKey(userId, friendId);
  const row: FriendshipRow = { _id: newId(), pair_key, user_ids, created_at: new Date() };
  try {
    await model.collection.insertOne(row as never, { maxTimeMS: QUERY_MAX_MS });
    return row;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const existing = await model.findOne({ pair_key }).lean<FriendshipRow>();
    if (!existing) throw error;
    return existing;
  }
}

/** Returns a friendship as other services see it. */
export const toThreadMembers = (row: FriendshipRow): ThreadMembers => ({
  thread_id: row._id,
  user_ids: row.user_ids,
  created_at: row.created_at.toISOString(),
});

/** Returns the id of the other member of a friendship. */
export const otherMember = (row: Pick<FriendshipRow, "user_ids">, userId: string): string =>
  row.user_ids[0] === userId ? row.user_ids[1] : row.user_ids[0];
