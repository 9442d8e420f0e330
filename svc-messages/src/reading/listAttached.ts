import type { Messages } from "../messages/message.model.ts";

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
 * Returns a function that resolves with those attachments and link previews that a message of their thread contains now: its
 * number by their ids.
 */
export const createListAttached =
  (messages: Messages) =>
  async (media: readonly Placed[]): Promise<Map<string, number>> => {
    if (media.length === 0) return new Map();
    const wanted = new Set(media.map(placeOf));
    const rows = await messages
      .find(placedFilter(media))
      .project<Row>({ _id: 0, thread_id: 1, seq: 1, "attachments.id": 1, "preview.id": 1 })
      .toArray();
    return new Map(
      rows.flatMap(({ thread_id, seq, attachments = [], preview }) =>
        [...attachments, ...(preview ? [preview] : [])]
          .filter(({ id }) => wanted.has(placeOf({ thread_id, media_id: id })))
          .map(({ id }) => [id, seq] as const),
      ),
    );
  };

const placeOf = ({ thread_id, media_id }: Placed): string => `${thread_id} ${media_id}`;
