import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { pollEvery } from "@messageoh/service-kit/pollEvery";
import type { IsAttached } from "../access/isAttached.ts";
import { type Media, type MediaRow, nextCheck } from "../media/media.model.ts";
import type { Remove } from "../media/remove.ts";

/** Files of one pass. */
const BATCH = 50;
/** Time between two passes, in milliseconds: while more files may be due, and otherwise. */
const BUSY_PAUSE_MS = 1_000;
const PAUSE_MS = 15_000;

const removed = new Counter({
  name: "messageoh_media_removed_total",
  help: "Files that the clean-up removed because no message contains them",
});

export interface CleanupOptions {
  media: Media;
  isAttached: IsAttached;
  remove: Remove;
  logger: Logger;
}

/**
 * Creates the clean-up of files that no message contains. Each file is checked a day after its upload, a day after it
 * was sent, and then once a day. Several instances may clean up at the same time.
 */
export function createCleanup({ media, isAttached, remove, logger }: CleanupOptions) {
  async function check(row: MediaRow): Promise<void> {
    const { _id, check_at } = row;
    const mayBeAttached = row.state === "ready" || row.state === "preview";
    if (mayBeAttached && (await isAttached(row))) {
      await media.updateOne({ _id, check_at }, { $set: { check_at: nextCheck() } });
      return;
    }
    if ((await remove(row)) && row.state === "ready") removed.inc();
  }

  /** Checks the files that are due, at most {@link BATCH}. Resolves with their number. */
  async function run(): Promise<number> {
    const due = { check_at: { $lte: new Date() } };
    const rows = await media.find(due, { sort: { check_at: 1 }, limit: BATCH }).toArray();
    await Promise.all(rows.map(check));
    return rows.length;
  }

  const pauseAfter = (checked?: number) => (checked === BATCH ? BUSY_PAUSE_MS : PAUSE_MS);
  const poll = pollEvery(pauseAfter, run, (err) => logger.warn({ err }, "clean-up of files failed"));
  return { run, start: poll.start, close: poll.close };
}
