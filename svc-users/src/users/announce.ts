import type { Events } from "../events.ts";
import { type FriendshipModel, type FriendshipRow, otherMember } from "../friends/friendship.model.ts";
import { toUser, type UserRow } from "./user.model.ts";

/** Tells a user and the user's friends about the changed user. */
export async function announce(
  { friendships, events }: { friendships: FriendshipModel; events: Events },
  row: UserRow,
  requestId: string,
): Promise<void> {
  const rows = await friendships.find({ user_ids: row._id }, { user_ids: 1 }).lean<FriendshipRow[]>();
  const friendIds = rows.map((friendship) => otherMember(friendship, row._id));
  events.userUpdated(toUser(row), [row._id, ...friendIds], requestId);
}
