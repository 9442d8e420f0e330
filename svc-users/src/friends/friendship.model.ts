import { randomBytes } from "node:crypto";
import type { FriendshipChange, ThreadMembers } from "@messageoh/contracts/internal/users";
import { type Connection, Schema } from "mongoose";

/** What the other user of a pair knows of a user who is no friend any more. */
export interface KnownProfile {
  user_id: string;
  name: string;
  /** Absent in documents of the previous release. */
  avatar_id?: string;
}

/**
 * One document per pair of users who are or were friends, or of whom one has blocked the other. It is never removed, so
 * a pair that becomes friends again gets its thread back.
 */
export interface PairRow {
  /** Id of the thread. */
  _id: string;
  /** Both ids, sorted and joined. The unique index allows one document per pair. */
  pair_key: string;
  /** Both ids, sorted, while the two are friends; otherwise empty, so that no query for friends finds the document. */
  user_ids: [string, string] | [];
  /** Beginning of the present friendship, or of the last one. */
  created_at: Date;
  /**
   * When the friendship last began or ended, by the clock of the database. Absent if the previous release began it. A
   * block of somebody who is no friend must not set it: other services announce such a change to both users.
   */
  changed_at?: Date;
  /** Users who have blocked the other. */
  blocked_by?: string[];
  /** Users whom the other has blocked. */
  blocked?: string[];
  /** Users who have muted the thread. */
  muted_by?: string[];
  /** The user who was added by the other and has not answered the notice. */
  notice_for?: string;
  /** Set when one of the two deletes the account. */
  closed_at?: Date;
  /**
   * The two users as they were at the last end of the friendship. Without one, those who were blocked and found by the
   * other, as they were then.
   */
  former?: KnownProfile[];
}

/** The document of two users who are friends. */
export interface FriendshipRow extends PairRow {
  user_ids: [string, string];
}

const ids = { type: [String], default: undefined };
const schema = new Schema<PairRow>(
  {
    _id: { type: String, required: true },
    pair_key: { type: String, required: true },
    user_ids: { type: [String], required: true },
    created_at: { type: Date, required: true },
    changed_at: Date,
    blocked_by: ids,
    blocked: ids,
    muted_by: ids,
    notice_for: String,
    closed_at: Date,
    former: { type: [{ _id: false, user_id: String, name: String, avatar_id: String }], default: undefined },
  },
  { versionKey: false },
);
schema.index({ pair_key: 1 }, { unique: true });
// Lists a user's friends.
schema.index({ user_ids: 1 });
// Lists changed friendships in order for other services.
schema.index({ changed_at: 1 }, { sparse: true });
// Lists the people whom a user has blocked, and those who have blocked a user.
schema.index({ blocked_by: 1 }, { sparse: true });
schema.index({ blocked: 1 }, { sparse: true });
// Lists the people whose friendship with a user has ended.
schema.index({ "former.user_id": 1 }, { sparse: true });

export type FriendshipModel = ReturnType<typeof createFriendshipModel>;
export const createFriendshipModel = (connection: Connection) => connection.model("Friendship", schema, "friendships");

/** Returns a new thread id. It is random, so that the threads of a sharded MongoDB begin on all shards. */
export const newThreadId = (): string => randomBytes(12).toString("hex");

/** Returns the key of a pair of users, the same for both orders. */
export const pairKey = (userId: string, friendId: string): string => [userId, friendId].sort().join(":");

/**
 * Ends a friendship. Returns its document, or `null` if the two are not friends.
 * @param former the two users as they are now
 * @param block the block to record in the same update
 */
export const endFriendship = (
  model: FriendshipModel,
  userId: string,
  friendId: string,
  former: readonly KnownProfile[],
  block: Partial<Record<"blocked_by" | "blocked", string>> = {},
): Promise<PairRow | null> =>
  model
    .findOneAndUpdate(
      { pair_key: pairKey(userId, friendId), user_ids: userId },
      {
        $set: { user_ids: [], former },
        $addToSet: block,
        $unset: { notice_for: 1 },
        $currentDate: { changed_at: true },
      },
      { returnDocument: "after" },
    )
    .lean<PairRow>();

/** Returns whether a document exists and its users are friends. */
export const isFriends = (pair: PairRow | null): pair is FriendshipRow => pair !== null && pair.user_ids.length > 0;

/** Returns whether one of the two users has blocked the other. */
export const isBlocked = (pair: PairRow | null): boolean => (pair?.blocked_by?.length ?? 0) > 0;

/** Returns the flags of a friendship that are set for one of its members. */
export const flagsOf = ({ muted_by, notice_for }: PairRow, userId: string) => ({
  ...(muted_by?.includes(userId) && { is_muted: true }),
  ...(notice_for === userId && { has_notice: true }),
});

/** Returns a friendship as other services see it. */
export const toThreadMembers = (row: FriendshipRow): ThreadMembers => ({
  thread_id: row._id,
  user_ids: row.user_ids,
  created_at: row.created_at.toISOString(),
  ...(row.closed_at && { is_closed: true }),
});

/** Returns the change of a friendship as other services see it. */
export const toChange = (row: PairRow): FriendshipChange => ({
  thread_id: row._id,
  user_ids: row.pair_key.split(":") as [string, string],
  is_friends: isFriends(row),
  changed_at: (row.changed_at ?? row.created_at).toISOString(),
});

/** Returns the id of the other member of a friendship. */
export const otherMember = (row: Pick<FriendshipRow, "user_ids">, userId: string): string =>
  row.user_ids[0] === userId ? row.user_ids[1] : row.user_ids[0];

/** Returns the id of the other user of a pair. */
export const otherIn = ({ pair_key }: Pick<PairRow, "pair_key">, userId: string): string =>
  pair_key.split(":").find((id) => id !== userId) ?? userId;

/** Returns friendships that changed at `since` or later, in order. */
export const changedSince = (model: FriendshipModel, since: Date, limit: number): Promise<PairRow[]> =>
  model
    .find({ changed_at: { $gte: since } }, { pair_key: 1, user_ids: 1, changed_at: 1 })
    .sort({ changed_at: 1 })
    .limit(limit)
    .lean<PairRow[]>();
