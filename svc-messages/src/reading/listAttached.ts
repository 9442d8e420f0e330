import type { Messages } from "../messages/message.model.ts";

interface Placed {
  thread_id: string;
  media_id: string;
}

/** Returns a function that resolves with the ids of those attachments that a message of their thread contains now. */
export const createListAttached =
  (messages: Messages) =>
  async (media: readonly Placed[]): Promise<string[]> => {
    if (media.length === 0) return [];
    const wanted = new Set(media.map(placeOf));
    const rows = await messages
      .find({
        thread_id: { $in: [...new Set(media.map(({ thread_id }) => thread_id))] },
        "attachments.id": { $in: media.map(({ media_id }) => media_id) },
      })
      .project<{ thread_id: string; attachments: { id: string }[] }>({ _id: 0, thread_id: 1, "attachments.id": 1 })
      .toArray();
    const attached = rows.flatMap(({ thread_id, attachments }) =>
      attachments.filter(({ id }) => wanted.has(placeOf({ thread_id, media_id: id }))).map(({ id }) => id),
    );
    return [...new Set(attached)];
  };

const placeOf = ({ thread_id, media_id }: Placed): string => `${thread_id} ${media_id}`;
