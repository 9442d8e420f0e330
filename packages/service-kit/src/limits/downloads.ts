import type { ServerResponse } from "node:http";
import { finished } from "node:stream";
import { tooMany } from "../http/errors.ts";
import { limited } from "./rateLimit.ts";

const RETRY_AFTER_SECONDS = 60;

/**
 * Returns a function that takes a place for the download of a user's data: one per user, and `max` in all. It throws
 * 429 without a free place. The place is freed when the response ends or its connection closes, which may already be
 * the case.
 */
export function createDownloads(max: number): (userId: string, response: ServerResponse) => void {
  const downloading = new Set<string>();
  const refuse = (text: string) => {
    limited.inc({ limit: "downloads_at_once" });
    throw tooMany(text, RETRY_AFTER_SECONDS);
  };
  return (userId, response) => {
    if (downloading.has(userId)) refuse("Your data is already being downloaded. Please try again in a minute");
    if (downloading.size >= max) refuse("Too many downloads. Please try again in a minute");
    downloading.add(userId);
    finished(response, () => downloading.delete(userId));
  };
}
