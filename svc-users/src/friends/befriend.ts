import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import { unavailable } from "@messageoh/service-kit/errors";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import { QUERY_MAX_MS, retryDuplicates } from "@messageoh/service-kit/mongo";
import type { ClientSession } from "mongoose";
import type { UserModel } from "../users/user.model.ts";
import {
  type FriendshipModel,
  type FriendshipRow,
  isBlocked,
  isFriends,
  newThreadId,
  type PairRow,
  pairKey,
} from "./friendship.model.ts";

/** A friendship to begin. Its id is used if the pair has no document yet. */
type NewFriendship = Required<Pick<FriendshipRow, "_id" | "pair_key" | "user_ids" | "notice_for">>;

/** Calls of one user that wait. A user may add a whole team at once. */
const WAITING_MAX = 100;

/** Attempts to add a friend. Another call may insert the document of the pair before each of them. */
const ATTEMPTS_MAX = 3;

const never = () => false;

/** Rejection of {@link createBefriend}: this user has {@link FRIENDS_MAX} friends. */
export class TooManyFriends extends Error {
  readonly userId: string;

  constructor(userId: string) {
    super("too many friends");
    this.userId = userId;
  }
}

/**
 * Returns a function that returns the friendship of two users and creates or renews it if necessary; `null` if one has
 * blocked the other or deleted the account, or if the friend accepts no new friends. A new friendship has a notice for
 * the friend. It is safe to repeat and to run concurrently. It rejects with {@link TooManyFriends} if one of the two
 * has {@link FRIENDS_MAX} friends, and with 429 if too many calls of the user wait.
 */
export function createBefriend(friendships: FriendshipModel, users: UserModel) {
  // The calls of one user run one after another first, so that they delay a friend by at most one call.
  const inOwnTurn = createFairQueue({ waitingPerKey: WAITING_MAX });
  // Transactions of one user conflict, and a conflict costs a retry. Other instances have queues of their own.
  const inTurn = createFairQueue({ waitingPerKey: Infinity });

  /** Begins a friendship in a transaction, which conflicts with every other change of the pair's document. */
  async function begin(row: NewFriendship, session: ClientSession, deadline: number): Promise<FriendshipRow | null> {
    // The driver would retry for two minutes.
    if (performance.now() > deadline) throw unavailable("This took too long, please try again");
    const { _id, pair_key, user_ids, notice_for } = row;
    const pair = await friendships.findOne({ pair_key }, null, { session }).lean<PairRow>();
    if (isFriends(pair)) return pair;
    if (isBlocked(pair)) return null;
    // The count is a read, which conflicts with nothing. The write makes concurrent transactions of a user conflict.
    const isHidden = { _id: notice_for, who_may_add: "nobody" } as const;
    const both = { _id: { $in: user_ids }, deleted_at: { $exists: false }, $nor: [isHidden] };
    const { matchedCount } = await users.updateMany(both, { $inc: { friends_version: 1 } }, { session });
    // Since the caller's check, one of the two has deleted the account, and its other threads are closed by now, or the
    // friend accepts no new friends any more.
    if (matchedCount < user_ids.length) return null;
    for (const userId of user_ids) {
      const count = await friendships.countDocuments({ user_ids: userId }, { session, limit: FRIENDS_MAX });
      if (count >= FRIENDS_MAX) throw new TooManyFriends(userId);
    }
    return friendships
      .findOneAndUpdate(
        { pair_key },
        {
          $setOnInsert: { _id },
          $set: { user_ids, notice_for },
          $currentDate: { created_at: true, changed_at: true },
        },
        { session, upsert: true, returnDocument: "after" },
      )
      .lean<FriendshipRow>();
  }

  async function beginOnce(row: NewFriendship): Promise<FriendshipRow | null> {
    const deadline = performance.now() + QUERY_MAX_MS;
    const session = await friendships.startSession();
    try {
      return await session.withTransaction(() => begin(row, session, deadline));
    } finally {
      await session.endSession();
    }
  }

  async function add(userId: string, friendId: string): Promise<FriendshipRow | null> {
    const user_ids = [userId, friendId].sort() as [string, string];
    const pair_key = pairKey(userId, friendId);
    async function find(): Promise<PairRow | null> {
      const pair = await friendships.findOne({ pair_key }).lean<PairRow>();
      if (pair?.notice_for !== userId) return pair;
      // A user who adds the other has answered the other's notice.
      const answered = { $unset: { notice_for: 1 } };
      return friendships
        .findOneAndUpdate({ pair_key, notice_for: userId }, answered, { returnDocument: "after" })
        .lean<PairRow>();
    }
    async function attempt(): Promise<FriendshipRow | null> {
      const known = await find();
      if (isFriends(known)) return known;
      return beginOnce({ _id: newThreadId(), pair_key, user_ids, notice_for: friendId }).catch(async (error) => {
        // Another instance may have begun the friendship meanwhile.
        const existing = error instanceof TooManyFriends ? await find() : null;
        if (isFriends(existing)) return existing;
        throw error;
      });
    }
    // The ids are sorted, so that no two calls wait for each other.
    const [first, second] = user_ids;
    return inTurn(first, never, () => inTurn(second, never, () => retryDuplicates(ATTEMPTS_MAX, attempt)));
  }

  return (userId: string, friendId: string, isGone = never) => inOwnTurn(userId, isGone, () => add(userId, friendId));
}
