import { API_BASE } from "@messageoh/contracts/client";
import type { Message } from "@messageoh/contracts/messages";
import type { PushPayload, ThreadNotification } from "@messageoh/contracts/push";

// Browsers end subscriptions that get silent pushes, so no push only closes a notification. Each push that shows one
// also closes those that were read on another device.
/** Notifications that one push checks, with a call each. */
const CHECKED_MAX = 10;
const TIMEOUT_MS = 5_000;

/**
 * Closes the notifications of other threads that the user has read on another device, or whose friendship has ended.
 * Leaves those that cannot be checked.
 * @param payload the push, whose own notification stays
 */
export async function closeReadElsewhere(
  { user_id, thread_id }: PushPayload,
  notifications: readonly Notification[],
): Promise<void> {
  const others = notifications.filter(({ data }) => data?.thread_id && data.thread_id !== thread_id);
  await Promise.all(
    others.slice(0, CHECKED_MAX).map(async (notification) => {
      if (await isRead(user_id, notification.data).catch(() => false)) notification.close();
    }),
  );
}

/** Returns whether the newest message of a thread is read, or the user's own one. */
async function isRead(userId: string, { thread_id, friend_id }: ThreadNotification["data"]): Promise<boolean> {
  const query = new URLSearchParams({ thread_id, limit: "1" });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${API_BASE}/messages/${encodeURIComponent(userId)}?${query}`, { signal });
  if (response.status === 403) return true;
  if (!response.ok) return false;
  const [newest] = (await response.json()) as Message[];
  return newest !== undefined && (newest.read || newest.sending_user_id !== friend_id);
}
