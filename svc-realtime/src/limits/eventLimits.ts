import { SENDING_TOO_FAST, SENT_ENOUGH_TODAY, TOO_FAST } from "@messageoh/contracts/errorTexts";
import type { FailedAck } from "@messageoh/contracts/realtime";
import { limited, type Rate } from "@messageoh/service-kit/rateLimit";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { Refusal } from "../handlers/refusal.ts";
import type { RealtimeSocket } from "../types.ts";

/**
 * Creates the limit on events of any kind, known or not, per socket. What exceeds it is refused unread; a socket that goes
 * on for another full budget is disconnected.
 */
export function createEventLimit(rate: Rate): (socket: RealtimeSocket) => void {
  const limiter = new RateLimiterMemory({ points: rate.count, duration: rate.seconds });
  return (socket) => {
    let refused = 0;
    socket.use((event, next) => {
      limiter.consume(socket.id).then(
        () => {
          refused = 0;
          next();
        },
        () => {
          limited.inc({ limit: "events" });
          refused += 1;
          if (refused > rate.count) socket.disconnect(true);
          const ack: unknown = event.at(-1);
          const answer: FailedAck = { error: TOO_FAST, is_retryable: true };
          if (typeof ack === "function") ack(answer);
        },
      );
    });
  };
}

/** So that the day's quota bounds messages as well as bytes. */
const MESSAGE_MIN_BYTES = 2_500;

export interface SendLimits {
  /** Messages of one user. */
  sends: Rate;
  /** Bytes of text of one user in a day; a message counts as {@link MESSAGE_MIN_BYTES} at least. */
  dailyBytes: Rate;
}

/**
 * Creates the check whether a user may send one more message. It rejects with a {@link Refusal}: a retryable one where the
 * user sends too fast, a final one where the day's quota is used up.
 */
export function createSendLimit(rates: SendLimits): (userId: string, text: string) => Promise<void> {
  const limiter = ({ count, seconds }: Rate) => new RateLimiterMemory({ points: count, duration: seconds });
  const [sends, dailyBytes] = [limiter(rates.sends), limiter(rates.dailyBytes)];
  const refuse = (limit: string, text: string, isRetryable: boolean) => () => {
    limited.inc({ limit });
    throw new Refusal(text, isRetryable);
  };
  const refuseNow = refuse("sends", SENDING_TOO_FAST, true);
  const refuseToday = refuse("daily_sends", SENT_ENOUGH_TODAY, false);
  return async (userId, text) => {
    await sends.consume(userId).catch(refuseNow);
    await dailyBytes.consume(userId, Math.max(MESSAGE_MIN_BYTES, Buffer.byteLength(text))).catch(refuseToday);
  };
}
