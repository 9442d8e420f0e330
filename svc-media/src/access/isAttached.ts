import type { Call } from "@messageoh/contracts/client";
import { listAttached, MEDIA_BATCH_MAX } from "@messageoh/contracts/internal/messages";
import { combineCalls } from "@messageoh/service-kit/combineCalls";
import { callFailed } from "@messageoh/service-kit/errors";
import type { MediaRow } from "../media/media.model.ts";

/** Calls at the same time, and files that wait for one. */
const LIMITS = { running: 4, waitingMax: 2_000 };

/**
 * Resolves with whether a message of the file's thread contains the file now. Rejects with 503 if svc-messages fails.
 */
export type IsAttached = (row: Pick<MediaRow, "_id" | "thread_id">) => Promise<boolean>;

/** Returns the function that asks svc-messages; files that are asked for at the same time share a call. */
export function createIsAttached(callMessages: Call): IsAttached {
  const ask = combineCalls(
    async (rows: Pick<MediaRow, "_id" | "thread_id">[]) => {
      const media = rows.map(({ _id, thread_id }) => ({ media_id: _id, thread_id }));
      const attached = new Set((await callMessages(listAttached, { body: { media } })).attached);
      return rows.map(({ _id }) => attached.has(_id));
    },
    { itemsMax: MEDIA_BATCH_MAX, ...LIMITS },
  );
  return (row) => ask(row).catch(callFailed);
}
