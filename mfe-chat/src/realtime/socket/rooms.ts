import { safeParse } from "@messageoh/contracts/parse";
import { failedAck } from "@messageoh/contracts/realtime";
import pLimit from "p-limit";
import type { ChatSocket } from "./socket.ts";

const OWN_ROOM_ACK_MS = 2_000;
const RETRY_MS = 5_000;
const AT_ONCE = 50;

/** Joins the user's room. Resolves when it is joined, and also if the server does not respond. */
export async function joinOwnRoom(socket: ChatSocket, userId: string): Promise<void> {
  await socket.request("join_add_friend_room", { current_user_id: userId }, OWN_ROOM_ACK_MS).catch(() => undefined);
}

/** Joins the room with each friend, for typing and presence. Retries the joins that a busy server rejects. */
export async function joinFriendRooms(
  socket: ChatSocket,
  userId: string,
  friendIds: readonly string[],
  isCurrent: () => boolean,
): Promise<void> {
  const refused: string[] = [];
  await pLimit(AT_ONCE).map(friendIds, async (friendId) => {
    if (!isCurrent()) return;
    const payload = { sending_user_id: userId, recipient_user_id: friendId };
    // A server may know the event but send no acknowledgements.
    const ack = await socket.request("join_room", payload).catch(() => undefined);
    const failed = safeParse(failedAck, ack);
    if (failed.data?.is_retryable) refused.push(friendId);
  });
  if (refused.length === 0 || !isCurrent()) return;
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  if (isCurrent()) await joinFriendRooms(socket, userId, refused, isCurrent);
}
