import { HttpError, tooMany } from "@messageoh/service-kit/errors";
import type { createSharedQuota } from "@messageoh/service-kit/sharedQuota";
import { RATE_LIMITS } from "../rateLimits.ts";
import type { Media } from "./media.model.ts";
import { createStoredBytes } from "./storedBytes.ts";

export interface SpaceOptions {
  media: Media;
  dailyBytes: ReturnType<typeof createSharedQuota>;
  /** Bytes of all files. */
  totalMaxBytes: number;
}
export type TakeSpace = ReturnType<typeof createTakeSpace>;

/**
 * Returns a function that counts the bytes of a new file of a user. It resolves with an error, and its name for the metrics, if
 * the installation has no space or the user has reached the daily limit.
 */
export function createTakeSpace({ media, dailyBytes, totalMaxBytes }: SpaceOptions) {
  const storedBytes = createStoredBytes(media, totalMaxBytes);
  return async (userId: string, bytes: number): Promise<{ reason: string; error: HttpError } | undefined> => {
    if (!(await storedBytes.reserve(bytes))) {
      return {
        reason: "full",
        error: new HttpError(507, "The server has no space for further files. Please tell its operator"),
      };
    }
    if (dailyBytes.spend(userId, bytes)) return undefined;
    storedBytes.release(bytes);
    return { reason: "daily", error: tooMany(`${RATE_LIMITS.bytes.text}. Please try again tomorrow`, 3_600) };
  };
}
