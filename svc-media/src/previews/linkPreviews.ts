import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { type Media, type MediaRow, nextCheck, toLinkPreview } from "../media/media.model.ts";
import type { TakeSpace } from "../media/storageQuota.ts";
import type { Processing } from "../processing/processing.ts";
import { type Storage, storageKey } from "../storage/storage.ts";
import type { FetchPublic } from "./fetchPublic.ts";
import { type Page, readPage } from "./readPage.ts";

/** Pages that are loaded at the same time on this instance, one per user. */
const QUEUE = { working: 10, waitingPerKey: 3 };
/** Time for the page, and for the page and its picture, in milliseconds. */
const PAGE_MS = 5_000;
const TOTAL_MS = 9_000;
/** Some sites have their titles behind several hundred kilobytes of scripts. */
const PAGE_MAX_BYTES = 1_000_000;
const PICTURE_MAX_BYTES = 5_000_000;
const PAGE = /^(?:text\/html|application\/xhtml\+xml)(?:;|$)/i;
const PICTURE = /^image\/(?:jpeg|png|webp|gif|avif)(?:;|$)/i;

const loaded = new Counter({
  name: "messageoh_media_link_previews_total",
  help: "Pages that were loaded for link previews, by result",
  labelNames: ["result"],
});

export interface LinkPreviewDeps {
  fetchPublic: FetchPublic;
  media: Media;
  processing: Processing;
  storage: Storage;
  takeSpace: TakeSpace;
  logger: Logger;
}

interface Request {
  user_id: string;
  thread_id: string;
  url: string;
  /** Aborts when nobody waits for the result any more. */
  signal: AbortSignal;
}

export type CreateLinkPreview = ReturnType<typeof createLinkPreviews>;

/**
 * Returns a function that makes the preview of a link: the title of its page, and its picture, encoded again. It
 * resolves with `null` if the page cannot be loaded or has no title, without a reason, so that it tells nothing about a
 * network.
 */
export function createLinkPreviews(deps: LinkPreviewDeps) {
  const { fetchPublic, media, processing, storage, takeSpace, logger } = deps;
  const queue = createFairQueue(QUEUE);

  async function loadPage(url: string, signal: AbortSignal): Promise<Page | null> {
    const limits = { type: PAGE, maxBytes: PAGE_MAX_BYTES, isHeadEnough: true };
    const found = await fetchPublic(url, {
      ...limits,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_MS)]),
    });
    const page = readPage(found.bytes, found.type);
    if (page?.picture === undefined) return page;
    const picture = URL.parse(page.picture, found.url.href)?.href;
    return { title: page.title, ...(picture !== undefined && { picture }) };
  }

  /** Stores the picture of a page. Resolves with what the row has of it. */
  async function storePicture({ _id, owner_id }: MediaRow, address: string, signal: AbortSignal): Promise<Stored> {
    const key = storageKey(_id);
    try {
      const { bytes } = await fetchPublic(address, { type: PICTURE, maxBytes: PICTURE_MAX_BYTES, signal });
      if (await takeSpace(owner_id, bytes.length)) return NO_PICTURE;
      await storage.put(key, bytes, "application/octet-stream");
      const examined = await processing.examineNow({ _id, owner_id, size: bytes.length }, () => signal.aborted);
      if (!signal.aborted && examined.state === "ready" && examined.content.kind === "picture") {
        await storage.removeUpload(key);
        return { content: examined.content, stored_bytes: examined.stored_bytes };
      }
    } catch (err) {
      logger.debug({ err }, "picture of a link preview was not loaded");
    }
    await storage.removeAll(key).catch(() => {});
    return NO_PICTURE;
  }

  async function make({ user_id, thread_id, url }: Request, signal: AbortSignal): Promise<LinkPreview | null> {
    const page = await loadPage(url, signal).catch((err) => {
      logger.debug({ err }, "page of a link preview was not loaded");
      return null;
    });
    loaded.inc({ result: page ? "found" : "none" });
    if (!page) return null;
    const now = Date.now();
    const site = new URL(url).hostname.replace(/^www\./, "");
    const row: MediaRow = {
      ...{ _id: randomBytes(16).toString("hex"), owner_id: user_id, thread_id, state: "uploading" },
      ...{ name: site, size: 0, stored_bytes: 0, created_at: new Date(now), check_at: nextCheck(now) },
    };
    // The row is there before the objects, so that the clean-up finds them after a crash.
    await media.insertOne(row);
    const { _id, ...rest } = { ...row, state: "preview" as const, page: { url, title: page.title, site } };
    // The examination may wait for those of other files. Nobody waits longer than the time of a preview for it.
    const late = once(signal, "abort").then(() => NO_PICTURE);
    const picture =
      page.picture === undefined ? NO_PICTURE : await Promise.race([storePicture(row, page.picture, signal), late]);
    await media.updateOne({ _id }, { $set: { ...rest, ...picture } });
    return toLinkPreview({ _id, ...rest, ...picture });
  }

  return (request: Request): Promise<LinkPreview | null> => {
    const isGone = () => request.signal.aborted;
    return queue(request.user_id, isGone, () =>
      make(request, AbortSignal.any([request.signal, AbortSignal.timeout(TOTAL_MS)])),
    );
  };
}

type Stored = Pick<MediaRow, "content" | "stored_bytes">;
const NO_PICTURE: Stored = { stored_bytes: 0 };
