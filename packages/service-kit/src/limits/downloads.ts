import type { ServerResponse } from "node:http";
import { finished } from "node:stream";
import { tooMany } from "../http/errors.ts";
import { limited } from "./rateLimit.ts";

const RETRY_AFTER_SECONDS = 60;
/** Time for which a download keeps its place even if another user needs it, in milliseconds. */
const LEAST_MS = 5 * 60_000;

interface Download {
  response: ServerResponse;
  startedAt: number;
  /** Bytes that the connection had sent before. */
  bytesBefore: number;
}

const bytesOf = ({ socket }: ServerResponse): number => socket?.bytesWritten ?? 0;
const ageOf = ({ startedAt }: Download): number => performance.now() - startedAt;
const speedOf = (download: Download): number => (bytesOf(download.response) - download.bytesBefore) / ageOf(download);

/**
 * Returns a function that takes a place for the download of a user's data: one per user, and `max` in all. Without a
 * free place, it ends the slowest download that has had {@link LEAST_MS}, so that clients that read slowly cannot hold
 * all places. If there is none, it throws 429. The place is freed when the response ends or its connection closes,
 * which may already be the case.
 */
export function createDownloads(max: number): (userId: string, response: ServerResponse) => void {
  const downloads = new Map<string, Download>();
  const refusal = (text: string) => {
    limited.inc({ limit: "downloads_at_once" });
    return tooMany(text, RETRY_AFTER_SECONDS);
  };
  function endSlowest(): void {
    const old = [...downloads].filter(([, download]) => ageOf(download) >= LEAST_MS);
    const [slowest] = old.sort(([, one], [, other]) => speedOf(one) - speedOf(other));
    if (!slowest) throw refusal("Too many downloads. Please try again in a minute");
    const [userId, { response }] = slowest;
    downloads.delete(userId);
    response.destroy();
  }
  return (userId, response) => {
    if (downloads.has(userId)) throw refusal("Your data is already being downloaded. Please try again in a minute");
    if (downloads.size >= max) endSlowest();
    const download = { response, startedAt: performance.now(), bytesBefore: bytesOf(response) };
    downloads.set(userId, download);
    finished(response, () => {
      if (downloads.get(userId) === download) downloads.delete(userId);
    });
  };
}
