import { API_BASE } from "@messageoh/contracts/client";
import type { ClickMessage, PushPayload, PushState, ThreadNotification } from "@messageoh/contracts/push";
import pLimit from "p-limit";
import { closeReadElsewhere } from "./readElsewhere.ts";

// Shows push notifications, which svc-users sends while no page of the user is connected. The pages show their own ones
// (mfe-chat/src/notifications), with the same tag and data, so that at most one is shown per thread.
declare const self: ServiceWorkerGlobalScope;

const CALL = `${API_BASE}/push`;

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

/** If Chromium lists notifications while it shows one, clicks on that one have no effect. */
const inTurn = pLimit(1);

async function show(data: PushMessageData | null): Promise<void> {
  if (!data) return;
  const payload = data.json() as PushPayload;
  const { thread_id, friend_id, name, text = "New message" } = payload;
  // The page has connected meanwhile, and shows the message itself.
  if ((await pages()).some(({ visibilityState }) => visibilityState === "visible")) return;
  const options: ThreadNotification = { body: text, tag: `thread-${thread_id}`, data: { thread_id, friend_id } };
  const notifications = await inTurn(async () => {
    await self.registration.showNotification(name, options);
    return self.registration.getNotifications();
  });
  // A dot; the page knows the number.
  if ("setAppBadge" in self.navigator) await self.navigator.setAppBadge().catch(() => undefined);
  await closeReadElsewhere(payload, notifications);
}

/** Opens the thread of a notification, in an open page if there is one. */
async function open(notification: Notification): Promise<void> {
  notification.close();
  const { friend_id } = notification.data as ThreadNotification["data"];
  const [page] = await pages();
  if (!page) {
    await self.clients.openWindow(`/home/${friend_id}`);
    return;
  }
  page.postMessage({ type: "notification-clicked", friend_id } satisfies ClickMessage);
  await page.focus();
}

/**
 * Returns the pages that show the chat, the last focused one first. In Firefox, as the standard says, the address of a
 * page is the one at which it was loaded: the chat may have been entered at the landing page, the login or the
 * registration.
 */
async function pages(): Promise<WindowClient[]> {
  const clients = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return clients.filter(({ url }) => /^\/(?:home(?:\/.*)?|login|register)?$/.test(new URL(url).pathname));
}

/** Registers the new subscription of a browser whose push service has ended the former one. */
async function subscribeAgain({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const response = await fetch(CALL);
  if (!response.ok) return;
  const { public_key, is_on, shows_text } = (await response.json()) as PushState;
  if (public_key === null || !(is_on || oldSubscription)) return;
  const options = { userVisibleOnly: true, applicationServerKey: public_key };
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options));
  await fetch(CALL, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...subscription.toJSON(), shows_text }),
  });
}
