import { TOO_FAST } from "@messageoh/contracts/errorTexts";
import type { FailedAck } from "@messageoh/contracts/realtime";
import { limited, type Rate } from "@messageoh/service-kit/rateLimit";
import { createTokenBucket } from "@messageoh/service-kit/tokenBucket";
import type { RealtimeSocket } from "./types.ts";

/**
 * Bounds how many events of any kind one socket may send, known or not. What is too much is refused unread; who goes on
 * like that, for another full budget, is cut off.
 */
export function limitEvents(socket: RealtimeSocket, rate: Rate): void {
  const bucket = createTokenBucket(rate);
  let refused = 0;
  socket.use((event, next) => {
    if (bucket.take()) {
      refused = 0;
      next();
      return;
    }
    limited.inc({ limit: "events" });
    refused += 1;
    if (refused > rate.count) socket.disconnect(true);
    const ack: unknown = event.at(-1);
    const answer: FailedAck = { error: TOO_FAST, is_retryable: true };
    if (typeof ack === "function") ack(answer);
  });
}
