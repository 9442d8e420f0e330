import { timeOf } from "@messageoh/contracts/beat";
import { CHANGED_MEANWHILE, MESSAGE_DELETED } from "@messageoh/contracts/errorTexts";
import { EDIT_MAX_HOURS, EDITS_MAX, PINNED_MAX } from "@messageoh/contracts/limits";
import { previewIn } from "@messageoh/contracts/linkPreviews";
import { conflict, forbidden } from "@messageoh/service-kit/errors";
import type { mongo } from "mongoose";
import { type MessageRow, REMOVED_TEXT, toMessage } from "../messages/message.model.ts";

const PINNED_ENOUGH = `A chat has at most ${PINNED_MAX} pinned messages. Please unpin another one first`;
const EDIT_MAX_MS = EDIT_MAX_HOURS * 3_600_000;

/**
 * Returns the update that a row needs, or `null` if it already is as the user wants.
 * @throws HttpError with 403 if the user may not change it, with 409 and the message if it was changed or deleted
 * meanwhile
 */
export type ChangeRule = (row: MessageRow) => Update | Promise<Update>;
type Update = mongo.UpdateFilter<MessageRow> | null;

interface Edit {
  text: string;
  /** Id of the edit, which recognises a retry. */
  op_id: string;
  /** The `edit_count` that the user saw. */
  base: number;
}

/**
 * Returns the rule of an edit. The former text stays in the row, and both members can read it. A link preview goes with
 * its link.
 */
export function editBy(userId: string, { text, op_id, base }: Edit, now = Date.now()): ChangeRule {
  return (row) => {
    const { edits = [], edit_count = 0 } = row;
    if (row.sending_user_id !== userId) throw forbidden("You can only edit your own messages");
    if (row.deleted_at) throw conflict(MESSAGE_DELETED, { message: toMessage(row, false) });
    if (row.text === text || edits.some(({ op }) => op === op_id)) return null;
    if (edit_count !== base) throw conflict(CHANGED_MEANWHILE, { message: toMessage(row, false) });
    if (now - timeOf(row.id) > EDIT_MAX_MS) throw forbidden(`A message can be edited for ${EDIT_MAX_HOURS} hours`);
    if (edit_count >= EDITS_MAX) throw forbidden(`A message can be edited ${EDITS_MAX} times`);
    const former = { text: row.text, at: row.edited_at ?? row.timestamp, op: op_id };
    return {
      $set: { text, edited_at: new Date(now), edit_count: edit_count + 1 },
      $push: { edits: former },
      ...(row.preview && !previewIn(text, row.preview) && { $unset: { preview: true } }),
    };
  };
}

/** Returns the rule of a deletion for both members. Everything but the number, the members and the times is removed. */
export function deletionBy(userId: string, now = Date.now()): ChangeRule {
  return (row) => {
    if (row.sending_user_id !== userId) throw forbidden("You can only delete your own messages");
    if (row.deleted_at) return null;
    return {
      $set: { text: REMOVED_TEXT, deleted_at: new Date(now) },
      $unset: {
        ...{ edits: true, edited_at: true, edit_count: true },
        ...{ attachments: true, preview: true, reactions: true, pinned: true },
      },
    };
  };
}

/**
 * Returns the rule of a reaction, which replaces the user's former one.
 * @param emoji `null` removes it
 */
export function reactionBy(userId: string, emoji: string | null): ChangeRule {
  return (row) => {
    if (row.deleted_at) throw conflict(MESSAGE_DELETED, { message: toMessage(row, false) });
    const { reactions = [] } = row;
    const own = reactions.find(({ user_id }) => user_id === userId);
    if ((own?.emoji ?? null) === emoji) return null;
    const changed = reactions.filter((reaction) => reaction !== own);
    if (emoji !== null) changed.push({ user_id: userId, emoji });
    return changed.length === 0 ? { $unset: { reactions: true } } : { $set: { reactions: changed } };
  };
}

/**
 * Returns the rule of a pin, or of its end.
 * @param countPinned resolves with the number of pinned messages of the thread. Two pins at the same time cannot both
 * miss each other, because only one of them gets the next change number.
 */
export function pinBy(userId: string, isPinned: boolean, countPinned: () => Promise<number>): ChangeRule {
  return async (row) => {
    if (row.deleted_at) throw conflict(MESSAGE_DELETED, { message: toMessage(row, false) });
    if ((row.pinned !== undefined) === isPinned) return null;
    if (!isPinned) return { $unset: { pinned: true } };
    if ((await countPinned()) >= PINNED_MAX) throw conflict(PINNED_ENOUGH);
    return { $set: { pinned: { by: userId, at: new Date() } } };
  };
}
