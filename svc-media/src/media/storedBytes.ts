import { Gauge } from "@messageoh/service-kit/metrics";
import type { Media } from "./media.model.ts";

/** Age after which the sum is read again, in milliseconds: it reads an index entry per file. */
const READ_AGAIN_MS = 60_000;

/** Reads the sum again if it is old. Never rejects. */
let refresh = async (): Promise<void> => undefined;
const stored = new Gauge({
  name: "messageoh_media_stored_bytes",
  help: "Bytes of all stored files, by the database",
  // A scrape does not wait for the database. The next one has the new sum.
  collect: () => void refresh(),
});
const limit = new Gauge({ name: "messageoh_media_stored_bytes_max", help: "Bytes that all files may have together" });

/**
 * Creates the count of the bytes of all files, which is read now and then at most once a minute. The other instances
 * learn of a new upload within a minute, so together they can exceed the limit by what arrives in that time.
 */
export async function createStoredBytes(media: Media, maxBytes: number) {
  let total = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  limit.set(maxBytes);

  async function readTotal(): Promise<void> {
    const sum = { $group: { _id: null, total: { $sum: "$stored_bytes" } } };
    const [row] = await media
      .aggregate<{ total: number }>([{ $match: { stored_bytes: { $gt: 0 } } }, sum], { hint: { stored_bytes: 1 } })
      .toArray();
    total = row?.total ?? 0;
    readAt = performance.now();
    stored.set(total);
  }

  async function readIfOld(): Promise<void> {
    if (performance.now() - readAt <= READ_AGAIN_MS) return;
    reading ??= readTotal().finally(() => {
      reading = undefined;
    });
    await reading;
  }

  refresh = () => readIfOld().catch(() => undefined);
  await refresh();

  return {
    /** Counts the bytes of a new upload. Resolves with whether they fit into the installation. */
    async reserve(bytes: number): Promise<boolean> {
      await readIfOld();
      if (total + bytes > maxBytes) return false;
      total += bytes;
      return true;
    },
    /** Takes back the bytes of an upload that was refused for another reason, or failed. */
    release(bytes: number): void {
      total -= bytes;
    },
  };
}
