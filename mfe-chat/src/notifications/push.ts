import { API_BASE, createClient } from "@messageoh/contracts/client";
import { getPush, subscribePush, unsubscribePush } from "@messageoh/contracts/push";
import pLimit from "p-limit";

const call = createClient({ baseUrl: API_BASE });

/** State of this browser's push notifications. `unsupported`: the browser or the server has none. */
export type PushSupport = "on" | "off" | "unsupported";

async function findManager(): Promise<PushManager | undefined> {
  const worker = await navigator.serviceWorker?.getRegistration();
  return worker?.active ? worker.pushManager : undefined;
}

/** Returns whether this session gets push notifications. Rejects with ApiError. */
export async function readPush(): Promise<PushSupport> {
  if (!(await findManager())) return "unsupported";
  const { public_key, is_on } = await call(getPush);
  return public_key === null ? "unsupported" : is_on ? "on" : "off";
}

interface WantedPush {
  isWanted: boolean;
  showsText: boolean;
}

const inTurn = pLimit(1);

/**
 * Registers or ends the push notifications of this session. Rejects if the browser or the server refuses. Changes run
 * one after the other, so that the last one counts.
 */
export const syncPush = (wanted: WantedPush): Promise<PushSupport> => inTurn(() => sync(wanted));

async function sync(wanted: WantedPush): Promise<PushSupport> {
  const manager = await findManager();
  if (!manager) return "unsupported";
  const { public_key, is_on, shows_text } = await call(getPush);
  if (public_key === null) return "unsupported";
  const subscription = await manager.getSubscription();
  if (!wanted.isWanted) {
    if (is_on) await call(unsubscribePush);
    await subscription?.unsubscribe();
    return "off";
  }
  const isCurrent = subscription !== null && keyOf(subscription) === public_key;
  if (isCurrent && is_on && shows_text === wanted.showsText) return "on";
  if (!isCurrent) await subscription?.unsubscribe();
  const made = isCurrent
    ? subscription
    : await manager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
  const { endpoint, keys } = made.toJSON();
  await call(subscribePush, {
    body: {
      endpoint: endpoint ?? "",
      keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" },
      shows_text: wanted.showsText,
    },
  });
  return "on";
}

/** Closes all notifications and ends the browser's push subscription, because another person may use it next. */
export async function leaveBrowser(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await worker?.getNotifications()) ?? []) notification.close();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

/** Returns the server's key of a subscription as base64url. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(applicationServerKey ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
