import { MEDIA_BATCH_MAX } from "@messageoh/contracts/internal/messages";
import type { Messages } from "../messages/message.model.ts";

/**
 * Messages of one read. A user can send a file in any number of messages, and each load of the file would read them
 * all; the files that are not in these messages are looked for again.
 */
export const ROWS_MAX = 2 * MEDIA_BATCH_MAX;

interface Placed {
  thread_id: string;
  media_id: string;
}

interface Row {
  thread_id: string;
  seq: number;
  attachments?: { id: string }[];
  preview?: { id: string };
}

/** Returns the filter of the messages that contain one of the ids in one of the threads. */
export function placedFilter(media: readonly Placed[]) {
  const thread_id = { $in: [...new Set(media.map((place) => place.thread_id))] };
  const ids = { $in: media.map(({ media_id }) => media_id) };
  return {
    $or: [
      { thread_id, "attachments.id": ids },
      { thread_id, "preview.id": ids },
    ],
  };
}

/**
 * Returns a function that resolves with those attachments and link previews that a message of their thread contains
 * now: the number of one such message by their ids.
 */
export const createListAttached = (messages: Messages) =>
  async function listAttached(media: readonly Placed[]): Promise<Map<string, number>> {
    if (media.length === 0) return new Map();
    const wanted = new Set(media.map(placeOf));
    const rows = await messages
      .find(placedFilter(media))
      .project<Row>({ _id: 0, thread_id: 1, seq: 1, "attachments.id": 1, "preview.id": 1 })
      .limit(ROWS_MAX)
      .toArray();
    const found = new Map(
      rows.flatMap(({ thread_id, seq, attachments = [], preview }) =>
        [...attachments, ...(preview ? [preview] : [])]
          .filter(({ id }) => wanted.has(placeOf({ thread_id, media_id: id })))
          .map(({ id }) => [id, seq] as const),
      ),
    );
    if (rows.length < ROWS_MAX || found.size === 0) return found;
    const left = media.filter(({ media_id }) => !found.has(media_id));
    return new Map([...found, ...(await listAttached(left))]);
  };

const placeOf = ({ thread_id, media_id }: Placed): string => `${thread_id} ${media_id}`;
