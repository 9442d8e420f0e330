import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { FIRST_PAGE_MESSAGES } from "@messageoh/contracts/limits";
import type { Message } from "@messageoh/contracts/messages";
import { escapeRegExp } from "@messageoh/service-kit/mongo";
import type { Marks } from "../changes/marks.model.ts";
import type { Markers } from "../markers/marker.model.ts";
import { ATTACHED_INDEX, type Messages, WITHOUT_EDITS } from "../messages/message.model.ts";
import { createWithRead } from "./withRead.ts";

export interface AttachedPageDeps {
  messages: Messages;
  markers: Markers;
  marks: Marks;
}

interface AttachedPlace {
  before?: number | undefined;
  /** Only messages with a file whose name contains it, case-insensitive. */
  name?: string | undefined;
  limit?: number | undefined;
}

/** Returns the filter for the messages of a thread with attachments. */
export const attachedFilter = (thread_id: string, { before, name }: AttachedPlace, hidden: readonly number[] = []) => ({
  thread_id,
  "attachments.id": { $exists: true },
  seq: { $nin: [...hidden], ...(before !== undefined && { $lt: before }) },
  ...(name !== undefined && { "attachments.name": new RegExp(escapeRegExp(name), "i") }),
});

export type AttachedPage = ReturnType<typeof createAttachedPage>;

/**
 * Returns a function that resolves with the newest messages with attachments that a user sees in a thread, ascending.
 */
export const createAttachedPage =
  ({ messages, markers, marks }: AttachedPageDeps) =>
  async (thread: ThreadMembers, userId: string, place: AttachedPlace): Promise<Message[]> => {
    const { thread_id } = thread;
    const { hiddenIn } = await marks.find([thread], userId);
    const rows = await messages
      .find(attachedFilter(thread_id, place, [...hiddenIn(thread_id)]), { ...WITHOUT_EDITS, hint: ATTACHED_INDEX })
      .sort({ seq: -1 })
      .limit(place.limit ?? FIRST_PAGE_MESSAGES)
      .toArray();
    return createWithRead(markers)(rows.reverse(), [thread]);
  };
