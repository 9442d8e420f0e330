import { notFound } from "@messageoh/service-kit/errors";
import { isLoadable, type Media, type ReadyRow } from "../media/media.model.ts";
import type { IsAttached } from "./isAttached.ts";
import type { Members } from "./members.ts";

export type FindReadable = ReturnType<typeof createFindReadable>;

/**
 * Returns a function that resolves with a file, or the picture of a link preview, that a user may load now: a message
 * of one of the user's threads contains it, or the user has uploaded it and it was not sent yet. Rejects with 404 for
 * all others, whether they exist or not.
 */
export function createFindReadable(media: Media, members: Members, isAttached: IsAttached) {
  return async (_id: string, userId: string): Promise<ReadyRow> => {
    const row = await media.findOne({ _id });
    if (!isLoadable(row)) throw notFound();
    if (!(await members.isMember(row.thread_id, userId))) throw notFound();
    const isOwnDraft = row.owner_id === userId && !row.is_sent;
    if (!isOwnDraft && !(await isAttached(row))) throw notFound();
    return row;
  };
}
