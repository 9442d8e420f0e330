import { DELETED_AVATAR_ID, DELETED_NAME } from "@messageoh/contracts/avatars";
import type { DeletedTexts } from "@messageoh/contracts/users";
import type { Logger } from "@messageoh/service-kit/logger";
import pLimit from "p-limit";
import type { Events } from "../events.ts";
import type { FriendshipModel } from "../friends/friendship.model.ts";
import { forgetUser } from "../friends/visibility.ts";
import type { Sessions } from "../sessions/session.model.ts";
import { holdName } from "../users/heldNames.ts";
import type { UserModel, UserRow } from "../users/user.model.ts";

/** How long a finished deletion is listed, so that every instance of svc-messages sees it. */
const LISTED_MS = 60_000;
const LISTED_MAX = 1_000;
/** Accounts that are closed at the same time after a crash. */
const CLOSED_AT_ONCE = 4;

interface Parts {
  users: UserModel;
  friendships: FriendshipModel;
  sessions: Sessions;
  events: Events;
}

/**
 * Creates the deletion of accounts. The document of the user is the job: it says which steps are missing, and each step
 * is safe to repeat. svc-messages polls the open jobs, closes the threads and replaces the texts, and then finishes the
 * job.
 */
export function createDeletions({ users, friendships, sessions, events }: Parts) {
  /** Replaces the account's data, unless the password was changed since `row` was read. */
  async function empty(row: UserRow, texts: DeletedTexts): Promise<UserRow | null> {
    const held_names = holdName(row);
    const filter = {
      _id: row._id,
      name: row.name,
      deleted_at: { $exists: false },
      password_version: row.password_version ?? { $exists: false },
    };
    const name_skeletons = [...new Set(held_names.flatMap(({ skeletons }) => skeletons))];
    // The index is sparse, and an empty array would be an entry.
    const isHeld = name_skeletons.length > 0;
    const set = {
      name: DELETED_NAME,
      // Longer than a name, so that nobody can register it.
      name_key: `deleted account ${row._id}`,
      name_parts: [],
      avatar_id: DELETED_AVATAR_ID,
      held_names,
      deleted_at: new Date(),
      deletion: { texts, is_open: true },
      ...(isHeld && { name_skeletons }),
    };
    const unset = { password_hash: 1, invite_token: 1, ...(!isHeld && { name_skeletons: 1 }) };
    const change = { $set: set, $unset: unset, $inc: { password_version: 1 } };
    const emptied = await users.findOneAndUpdate(filter, change, { returnDocument: "after" }).lean<UserRow>();
    if (emptied) return emptied;
    const now = await users.findById(row._id).lean<UserRow>();
    const wasRenamed = now?.name !== row.name && now?.password_version === row.password_version;
    // The new name must be held, too. Few repetitions are possible, because few renames are.
    return now && wasRenamed ? empty(now, texts) : null;
  }

  /** Closes the threads and ends the sessions of a deleted account. */
  async function close(row: UserRow, requestId: string): Promise<void> {
    const open = { user_ids: row._id, closed_at: { $exists: false } };
    const change = { $set: { closed_at: new Date() }, $unset: { notice_for: 1 }, $pull: { muted_by: row._id } };
    await friendships.updateMany(open, change);
    await forgetUser(friendships, row._id);
    events.sessionsEnded(await sessions.endAll(row._id), row._id, requestId);
    await events.userUpdated(row, requestId);
    await users.updateOne({ _id: row._id }, { $set: { "deletion.is_closed": true } });
  }

  const limit = pLimit(CLOSED_AT_ONCE);
  const closing = new Set<string>();
  async function closeLater(row: UserRow, requestId: string, logger: Logger): Promise<void> {
    if (closing.has(row._id)) return;
    closing.add(row._id);
    await limit(() => close(row, requestId)).catch((err) => {
      logger.warn({ err, user_id: row._id }, "closing of a deleted account failed");
    });
    closing.delete(row._id);
  }

  return {
    /** Deletes an account. Returns `false` if it is deleted already or its password has changed. */
    async begin(row: UserRow, texts: DeletedTexts, requestId: string): Promise<boolean> {
      const deleted = await empty(row, texts);
      if (deleted) await close(deleted, requestId);
      return deleted !== null;
    },

    /**
     * Returns the open deletions whose threads are closed, and those that have just finished. Starts to close the
     * others, which a crash or a failure left open, and does not wait for them.
     */
    async list(requestId: string, logger: Logger): Promise<UserRow[]> {
      const recent = { "deletion.finished_at": { $gt: new Date(Date.now() - LISTED_MS) } };
      const rows = await users
        .find({ $or: [{ "deletion.is_open": true }, recent] })
        .limit(LISTED_MAX)
        .lean<UserRow[]>();
      const isClosed = ({ deletion }: UserRow) => deletion?.is_closed === true;
      for (const row of rows) if (!isClosed(row)) void closeLater(row, requestId, logger);
      return rows.filter(isClosed);
    },

    /** Records that svc-messages has done its part. */
    async finish(userId: string): Promise<void> {
      const change = { $set: { "deletion.finished_at": new Date() }, $unset: { "deletion.is_open": 1 } };
      // The end of a friendship or a block that was under way may have stored the name or the block.
      await forgetUser(friendships, userId);
      await users.updateOne({ _id: userId, "deletion.is_open": true }, change);
    },
  };
}
