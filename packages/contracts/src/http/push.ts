import * as v from "valibot";
import { atMost, id } from "../rules/fields.ts";
import { endpoint } from "./endpoint.ts";

const NO_ADDRESS = "The address of a push service is required";
/** Schema of a Web Push subscription, as the browser returns it. */
export const pushSubscription = v.object({
  /** Address at the browser's push service. svc-users checks where it leads. */
  endpoint: v.pipe(
    v.string(NO_ADDRESS),
    ...atMost(1000, NO_ADDRESS),
    v.startsWith("https://", NO_ADDRESS),
    v.url(NO_ADDRESS),
  ),
  keys: v.object({
    p256dh: v.pipe(v.string(), ...atMost(88), v.regex(/^[\w-]{87}=?$/)),
    auth: v.pipe(v.string(), ...atMost(24), v.regex(/^[\w-]{22}={0,2}$/)),
  }),
});

/** Schema of the push notifications of the session of the request. */
export const pushState = v.object({
  /** The server's VAPID key for `pushManager.subscribe`; `null` if the server sends no push notifications. */
  public_key: v.nullable(v.string()),
  is_on: v.boolean(),
  /** Whether push notifications contain the beginning of the message. */
  shows_text: v.boolean(),
});
export type PushState = v.InferOutput<typeof pushState>;

export const getPush = endpoint({ method: "GET", path: "/push", response: pushState });

/**
 * Sends the session's push notifications to this subscription until the session ends. The subscription is removed from
 * the session that had it before. 400 if its address is not one of a public push service.
 */
export const subscribePush = endpoint({
  method: "PUT",
  path: "/push",
  body: v.object({ ...pushSubscription.entries, shows_text: v.boolean() }),
  response: pushState,
});

/** Ends the session's push notifications. Idempotent. */
export const unsubscribePush = endpoint({ method: "DELETE", path: "/push", response: pushState });

/** Schema of the decrypted payload of a push notification. */
export const pushPayload = v.object({
  /** Recipient. */
  user_id: id,
  thread_id: id,
  friend_id: id,
  /** Name of the friend. */
  name: v.string(),
  /** Beginning of the message, if the user allows it. */
  text: v.optional(v.string()),
});
export type PushPayload = v.InferOutput<typeof pushPayload>;

/** A notification of a thread. The service worker and the pages show at most one per tag. */
export interface ThreadNotification {
  tag: `thread-${string}`;
  body: string;
  silent?: boolean;
  data: Pick<PushPayload, "thread_id" | "friend_id">;
}

/** Message of the service worker to a page when the user has clicked on a notification. */
export type ClickMessage = Pick<PushPayload, "friend_id"> & { type: "notification-clicked" };
