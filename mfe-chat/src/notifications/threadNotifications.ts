import type { ThreadNotification } from "@messageoh/contracts/push";
import pLimit from "p-limit";

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  (await navigator.serviceWorker?.getRegistration().catch(() => undefined)) ?? undefined;

export type ThreadNotifications = ReturnType<typeof createThreadNotifications>;

/**
 * Returns the notifications that the user sees: at most one per thread. The service worker shows them, so that every
 * tab can close them; without one, this tab does.
 */
export function createThreadNotifications(onClick: (friendId: string) => void) {
  const own = new Map<string, Notification>();
  /** If Chromium lists notifications while it shows one, clicks on that one have no effect. */
  const inTurn = pLimit(1);

  function show(title: string, options: ThreadNotification): void {
    const { thread_id, friend_id } = options.data;
    const notification = new Notification(title, options);
    own.set(thread_id, notification);
    notification.onclick = () => {
      notification.close();
      onClick(friend_id);
    };
    notification.onclose = () => {
      if (own.get(thread_id) === notification) own.delete(thread_id);
    };
  }

  return {
    /** Shows a notification, or replaces the one of the same thread. */
    async show(title: string, body: string, data: ThreadNotification["data"]): Promise<void> {
      const options: ThreadNotification = { body, data, tag: `thread-${data.thread_id}`, silent: true };
      const worker = await registration();
      try {
        if (worker?.active) await inTurn(() => worker.showNotification(title, options));
        else show(title, options);
      } catch (error) {
        // Android shows notifications through a service worker only.
        console.warn("The notification could not be shown", error);
      }
    },

    /** Closes the notifications of these threads, whichever tab has shown them. */
    async close(isClosed: (threadId: string) => boolean): Promise<void> {
      for (const [threadId, notification] of own) if (isClosed(threadId)) notification.close();
      const worker = await registration();
      await inTurn(async () => {
        for (const notification of (await worker?.getNotifications()) ?? []) {
          const data = notification.data as ThreadNotification["data"] | null;
          if (data?.thread_id && isClosed(data.thread_id)) notification.close();
        }
      });
    },
  };
}
