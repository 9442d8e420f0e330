import { ATTACHMENTS_MAX } from "@messageoh/contracts/attachments";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Gauge } from "@messageoh/service-kit/metrics";
import { pollEvery } from "@messageoh/service-kit/pollEvery";
import { createSparseLog } from "@messageoh/service-kit/sparseLog";
import type { Media, MediaRow } from "../media/media.model.ts";
import { type Storage, storageKey } from "../storage/storage.ts";
import type { Examined } from "./examine.ts";

/** Files that wait in this process, in all and of one user. Those beyond wait in the database. */
const WAITING_MAX = 50;
const WAITING_PER_USER_MAX = ATTACHMENTS_MAX;
/** One file at a time, in turn by user: a picture takes up to a second of a core. */
const QUEUE = { working: 1, waitingPerKey: WAITING_PER_USER_MAX };
/** Time after which another attempt begins, if an instance ends or hangs while it examines a file, in milliseconds. */
const LEASE_MS = 120_000;
/** Time after which a file is examined again, if something that its examination needs has failed, in milliseconds. */
const RETRY_MS = 10_000;
/** Interval in which an instance looks for files that nobody examines, in milliseconds. */
const POLL_MS = 1_000;

const refused = new Counter({
  name: "messageoh_media_refused_total",
  help: "Files that were refused after their upload",
});
const waitingFiles = new Gauge({ name: "messageoh_media_waiting", help: "Files that wait for their examination" });

type Waiting = Pick<MediaRow, "_id" | "owner_id">;
type Examinable = Pick<MediaRow, "_id" | "owner_id" | "size">;
export type Processing = ReturnType<typeof createProcessing>;

export interface ProcessingOptions {
  media: Media;
  storage: Storage;
  examine: (row: Examinable & Pick<MediaRow, "stated">) => Promise<Examined>;
  logger: Logger;
}

/**
 * Creates the examination of uploaded files. The rows in state `processing` are the queue, which all instances share:
 * an instance takes a file by moving its `examine_at`, so it can end at any time.
 */
export function createProcessing({ media, storage, examine, logger }: ProcessingOptions) {
  const queue = createFairQueue(QUEUE);
  /** Waiting files with their owners. */
  const waiting = new Map<string, string>();
  const jobs = new Set<Promise<void>>();
  const logFailure = createSparseLog(logger);

  async function process(_id: string): Promise<void> {
    const now = Date.now();
    const row = await media.findOneAndUpdate(
      { _id, state: "processing", examine_at: { $lte: new Date(now) } },
      { $set: { examine_at: new Date(now + LEASE_MS) } },
      { returnDocument: "after" },
    );
    if (!row) return;
    try {
      const { content, stored_bytes } = row;
      await finish(row, content ? { state: "ready", content, stored_bytes } : await examine(row));
    } catch (err) {
      logFailure("examine", { err, media_id: _id }, "file could not be examined");
      const $set = { examine_at: new Date(Date.now() + RETRY_MS) };
      await media.updateOne({ _id, state: "processing" }, { $set });
    }
  }

  /** Resolves with `false` if the file was removed meanwhile, or another instance was first. */
  async function update({ _id, content }: MediaRow, change: Parameters<Media["updateOne"]>[1]): Promise<boolean> {
    const filter = { _id, state: "processing" as const, content: { $exists: content !== undefined } };
    const { matchedCount } = await media.updateOne(filter, change);
    if (matchedCount > 0) return true;
    // What was stored for a removed file until now would stay.
    if ((await media.countDocuments({ _id, state: { $in: ["processing", "ready"] } })) === 0)
      await storage.removeAll(storageKey(_id));
    return false;
  }

  async function finish(row: MediaRow, examined: Examined): Promise<void> {
    const key = storageKey(row._id);
    if (examined.state === "ready" && examined.content.kind === "picture") {
      const { state: _, ...found } = examined;
      // The original may say where it was taken, so it is gone before anybody gets the picture. What was found is kept
      // first, because another attempt has no original.
      if (!row.content) {
        if (await update(row, { $set: found })) await finish({ ...row, ...found }, examined);
        return;
      }
      await storage.removeUpload(key);
    }
    const $set = examined.state === "refused" ? { ...examined, stored_bytes: 0 } : examined;
    const isDone = await update(row, { $set, $unset: { examine_at: "", stated: "" } });
    if (!isDone || examined.state !== "refused") return;
    refused.inc();
    // If this fails, the clean-up deletes it.
    await storage.removeUpload(key).catch(() => {});
  }

  /** Adds a file to those that this instance examines. If too many wait, an instance finds it later. */
  function add({ _id, owner_id }: Waiting): void {
    if (poll.isClosed() || waiting.has(_id)) return;
    const own = [...waiting.values()].filter((owner) => owner === owner_id).length;
    // The fewer places are left, the fewer one user may have, so that the files of a few do not take up all.
    if (own >= Math.min(WAITING_PER_USER_MAX, WAITING_MAX - waiting.size)) return;
    waiting.set(_id, owner_id);
    waitingFiles.set(waiting.size);
    const job = queue(owner_id, poll.isClosed, () => process(_id))
      .catch((err) => logger.debug({ err }, "examination ended"))
      .finally(() => {
        waiting.delete(_id);
        waitingFiles.set(waiting.size);
        jobs.delete(job);
      });
    jobs.add(job);
  }

  async function addFromDatabase(): Promise<void> {
    const ids = { $firstN: { input: "$_id", n: WAITING_PER_USER_MAX } };
    const owners = media.aggregate<{ _id: string; ids: string[] }>([
      { $match: { state: "processing", examine_at: { $lte: new Date() } } },
      { $sort: { examine_at: 1 } },
      // However many files a user has, they do not hide those of others.
      { $group: { _id: "$owner_id", ids, oldest: { $first: "$examine_at" } } },
      { $sort: { oldest: 1 } },
    ]);
    for await (const { _id: owner_id, ids } of owners) for (const _id of ids) add({ _id, owner_id });
  }
  const poll = pollEvery(POLL_MS, addFromDatabase, (err) => logger.debug({ err }, "poll of files to examine failed"));

  return {
    add,
    /** Examines what the server itself has stored, in turn with the uploads. Rejects if `isGone` by then. */
    examineNow: (row: Examinable, isGone: () => boolean): Promise<Examined> =>
      queue(
        row.owner_id,
        () => poll.isClosed() || isGone(),
        () => examine(row),
      ),
    /** Begins to look for files that no instance examines. */
    start: poll.start,
    /** Ends after the file that is being examined. */
    async close(): Promise<void> {
      await poll.close();
      await Promise.all(jobs);
    },
  };
}
