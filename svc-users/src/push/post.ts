import { Agent, request } from "node:https";
import { isIP } from "node:net";
import type { PushPayload } from "@messageoh/contracts/push";
import type { PublicAddresses } from "@messageoh/service-kit/publicAddresses";
import webPush from "web-push";
import type { PushRow } from "../sessions/session.model.ts";

const ENCODING = "aes128gcm";
/** Time for connecting and for the response. */
const TIMEOUT_MS = 5_000;
/** A longer response closes the connection. */
const BODY_MAX_BYTES = 4_096;
const CONNECTIONS_PER_HOST_MAX = 16;
/** A push service keeps a notification for a device that is off for this long. */
const TTL_SECONDS = 24 * 60 * 60;
/** Push services replace a waiting notification by a newer one of the same topic. */
const TOPIC = /^[\w-]{1,32}$/;

/** The response of a push service. */
export interface PushResponse {
  status: number;
  /** Time after which to try again, in milliseconds, if the push service says so. */
  retryAfterMs?: number;
}
export type Post = (push: PushRow, payload: PushPayload) => Promise<PushResponse>;

export interface PostOptions {
  vapid: { subject: string; publicKey: string; privateKey: string };
  endpoints: PublicAddresses;
  ca?: string | undefined;
}

/** Returns whether a browser's keys can encrypt a payload. */
export function isUsableKey(p256dh: string, auth: string): boolean {
  try {
    webPush.encrypt(p256dh, auth, "test", ENCODING);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a function that encrypts a payload and posts it to a push service. It follows no redirects.
 * Rejects if the address is not allowed, on a failed connection and after five seconds.
 */
export function createPost({ vapid, endpoints, ca }: PostOptions): Post {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS_PER_HOST_MAX,
    maxFreeSockets: 2,
    lookup: endpoints.lookUp,
    ...(ca !== undefined && { ca }),
  });

  return async ({ endpoint, p256dh, auth }, payload) => {
    // A connection to an IP address resolves no name, so nothing else checks it.
    const { hostname } = new URL(endpoint);
    if (isIP(hostname.replace(/^\[|\]$/g, "")) && !(await endpoints.isAllowed(endpoint)))
      throw new Error(`${hostname} is not a public address`);
    const subscription = { endpoint, keys: { p256dh, auth } };
    const { method, headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(payload), {
      vapidDetails: vapid,
      contentEncoding: ENCODING,
      TTL: TTL_SECONDS,
      urgency: "high",
      ...(TOPIC.test(payload.thread_id) && { topic: payload.thread_id }),
    });
    return new Promise((resolve, reject) => {
      const call = request(endpoint, { method, headers, agent, signal: AbortSignal.timeout(TIMEOUT_MS) });
      call.on("response", (response) => {
        const seconds = Number(response.headers["retry-after"]);
        resolve({ status: response.statusCode ?? 0, ...(seconds > 0 && { retryAfterMs: seconds * 1_000 }) });
        let bytes = 0;
        response.on("data", (part: Buffer) => {
          bytes += part.length;
          if (bytes > BODY_MAX_BYTES) response.destroy();
        });
      });
      call.on("error", reject);
      // After 101 (Switching Protocols) neither a response nor an error follows.
      call.on("close", () => reject(new Error("the connection ended without a response")));
      call.end(body);
    });
  };
}
