import * as z from "zod/mini";
import { atMost, id } from "../rules/fields.ts";
import { endpoint } from "./endpoint.ts";

const NO_ADDRESS = "The address of a push service is required";
/** Schema of a Web Push subscription, as the browser returns it. */
export const pushSubscription = z.object({
  /** Address at the browser's push service. svc-users checks where it leads. */
  endpoint: z.string(NO_ADDRESS).check(atMost(1000), z.url({ protocol: /^https$/, error: NO_ADDRESS })),
  keys: z.object({
    p256dh: z.string().check(atMost(88), z.regex(/^[\w-]{87}=?$/)),
    auth: z.string().check(atMost(24), z.regex(/^[\w-]{22}={0,2}$/)),
  }),
});

/** Schema of the push notifications of the session of the request. */
export const pushState = z.object({
  /** The server's VAPID key for `pushManager.subscribe`; `null` if the server sends no push notifications. */
  public_key: z.nullable(z.string()),
  is_on: z.boolean(),
  /** Whether push notifications contain the beginning of the message. */
  shows_text: z.boolean(),
});
export type PushState = z.infer<typeof pushState>;

export const getPush = endpoint({ method: "GET", path: "/push", response: pushState });

/**
 * Sends the session's push notifications to this subscription until the session ends. The subscription is removed from the
 * session that had it before. 400 if its address is not one of a public push service.
 */
export const subscribePush = endpoint({
  method: "PUT",
  path: "/push",
  body: z.object({ ...pushSubscription.shape, shows_text: z.boolean() }),
  response: pushState,
});

/** Ends the session's push notifications. Idempotent. */
export const unsubscribePush = endpoint({ method: "DELETE", path: "/push", response: pushState });

/** Schema of the decrypted payload of a push notification. */
export const pushPayload = z.object({
  /** Recipient. */
  user_id: id,
  thread_id: id,
  friend_id: id,
  /** Name of the friend. */
  name: z.string(),
  /** Beginning of the message, if the user allows it. */
  text: z.optional(z.string()),
});
export type PushPayload = z.infer<typeof pushPayload>;
