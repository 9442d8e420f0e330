import type { Call } from "@messageoh/contracts/client";
import { listAttached } from "@messageoh/contracts/internal/messages";
import { LARGEST_MAX, type UsedSpace } from "@messageoh/contracts/media";
import { callFailed } from "@messageoh/service-kit/errors";
import { isReady, type Media, toAttachment, USED_SPACE_INDEX } from "./media.model.ts";

/** Threads in the response. */
const THREADS_MAX = 1_000;
const OPTIONS = { hint: USED_SPACE_INDEX };

export interface UsedSpaceDeps {
  media: Media;
  callMessages: Call;
}

/** Returns a query of the largest files of a user. */
export const findLargest = (media: Media, owner_id: string) =>
  media.find({ owner_id, state: "ready" }, OPTIONS).sort({ stored_bytes: -1 }).limit(LARGEST_MAX);

/**
 * Returns a function that resolves with the space that the files of a user take up. Rejects with 503 if svc-messages
 * fails.
 */
export function createUsedSpace({ media, callMessages }: UsedSpaceDeps) {
  async function largestOf(owner_id: string): Promise<UsedSpace["largest"]> {
    const rows = (await findLargest(media, owner_id).toArray()).filter(isReady);
    if (rows.length === 0) return [];
    const places = rows.map(({ _id, thread_id }) => ({ media_id: _id, thread_id }));
    const { seqs = {} } = await callMessages(listAttached, { body: { media: places } }).catch(callFailed);
    return rows.flatMap((row) => {
      const { _id, thread_id, stored_bytes: bytes, created_at } = row;
      const seq = seqs[_id];
      const attachment = { ...toAttachment(row), bytes };
      return seq === undefined ? [] : { thread_id, seq, attachment, sent_at: created_at.toISOString() };
    });
  }

  return async (owner_id: string): Promise<UsedSpace> => {
    const sum = { _id: "$thread_id", bytes: { $sum: "$stored_bytes" }, files: { $sum: 1 } };
    const [sums, largest] = await Promise.all([
      media
        .aggregate<{ _id: string; bytes: number; files: number }>(
          [
            { $match: { owner_id, state: "ready" } },
            { $group: sum },
            { $sort: { bytes: -1 } },
            { $limit: THREADS_MAX },
          ],
          OPTIONS,
        )
        .toArray(),
      largestOf(owner_id),
    ]);
    return { threads: sums.map(({ _id, bytes, files }) => ({ thread_id: _id, bytes, files })), largest };
  };
}
