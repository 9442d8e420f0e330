import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { unavailable } from "@messageoh/service-kit/errors";
import { isDuplicateKey, QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import { type ClientSession, type Connection, Schema } from "mongoose";
import { newId, type UserModel } from "../users/user.model.ts";
import { createTurns } from "./turns.ts";

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

/** Rejection of {@link createBefriend}: this user has {@link FRIENDS_MAX} friends. */
export class TooManyFriends extends Error {
  readonly userId: string;

  constructor(userId: string) {
    super("too many friends");
    this.userId = userId;
  }
}

/**
 * Returns a function that returns the friendship of two users and creates it if necessary. It is safe to repeat and to
 * run concurrently. It rejects with {@link TooManyFriends} if one of the two has {@link FRIENDS_MAX} friends.
 */
export function createBefriend(friendships: FriendshipModel, users: UserModel) {
  // Transactions of one user conflict, and a conflict costs a retry. Other instances have turns of their own.
  const inTurn = createTurns();

  async function insert(row: FriendshipRow, session: ClientSession, deadline: number): Promise<FriendshipRow> {
    // The driver would retry for two minutes.
    if (Date.now() > deadline) throw unavailable("This took too long, please try again");
    // The count is a read, which conflicts with nothing. The write makes concurrent transactions of a user conflict.
    await users.updateMany({ _id: { $in: row.user_ids } }, { $inc: { friends_version: 1 } }, { session });
    for (const user_ids of row.user_ids) {
      const count = await friendships.countDocuments({ user_ids }, { session, limit: FRIENDS_MAX });
      if (count >= FRIENDS_MAX) throw new TooManyFriends(user_ids);
    }
    await friendships.collection.insertOne(row as never, { session, maxTimeMS: QUERY_MAX_MS });
    return row;
  }

  return async (userId: string, friendId: string): Promise<FriendshipRow> => {
    const user_ids = [userId, friendId].sort() as [string, string];
    const pair_key = pairKey(userId, friendId);
    const find = () => friendships.findOne({ pair_key }).lean<FriendshipRow>();
    return inTurn(user_ids, async () => {
      const known = await find();
      if (known) return known;
      const row: FriendshipRow = { _id: newId(), pair_key, user_ids, created_at: new Date() };
      const deadline = Date.now() + QUERY_MAX_MS;
      const session = await friendships.startSession();
      try {
        return await session.withTransaction(() => insert(row, session, deadline));
      } catch (error) {
        // Another instance may have created the friendship meanwhile.
        const existing = isDuplicateKey(error) || error instanceof TooManyFriends ? await find() : null;
        if (existing) return existing;
        throw error;
      } finally {
        await session.endSession();
      }
    });
  };
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
