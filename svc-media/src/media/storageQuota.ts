import { HttpError, tooMany } from "@messageoh/service-kit/errors";
import type { createSharedQuota } from "@messageoh/service-kit/sharedQuota";
import { RATE_LIMITS } from "../rateLimits.ts";
import type { Media } from "./media.model.ts";
import { createStoredBytes } from "./storedBytes.ts";

export interface StorageQuotaOptions {
  media: Media;
  dailyBytes: ReturnType<typeof createSharedQuota>;
  /** Bytes of all files. */
  totalMaxBytes: number;
}
export type StorageQuota = Awaited<ReturnType<typeof createStorageQuota>>;
export type TakeSpace = StorageQuota["takeSpace"];

/** Creates the quotas of new files: the bytes of all files, and those of each user per day. */
export async function createStorageQuota({ media, dailyBytes, totalMaxBytes }: StorageQuotaOptions) {
  const storedBytes = await createStoredBytes(media, totalMaxBytes);
  return {
    /**
     * Counts the bytes of a new file of a user. Resolves with an error, and its name for the metrics, if the
     * installation has no space or the user has reached the daily limit.
     */
    async takeSpace(userId: string, bytes: number): Promise<{ reason: string; error: HttpError } | undefined> {
      if (!(await storedBytes.reserve(bytes))) {
        return {
          reason: "full",
          error: new HttpError(507, "The server has no space for further files. Please tell its operator"),
        };
      }
      if (dailyBytes.spend(userId, bytes)) return undefined;
      storedBytes.release(bytes);
      return { reason: "daily", error: tooMany(`${RATE_LIMITS.bytes.text}. Please try again tomorrow`, 3_600) };
    },

    /** Takes back the bytes of a file of which nothing is stored. */
    giveBackSpace(userId: string, bytes: number): void {
      storedBytes.release(bytes);
      dailyBytes.spend(userId, -bytes);
    },
  };
}
