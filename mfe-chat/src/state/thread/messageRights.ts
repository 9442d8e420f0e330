import { EDIT_MAX_HOURS, EDITS_MAX } from "@messageoh/contracts/limits";
import type { ThreadMessage } from "./shownMessages.ts";

const EDIT_MAX_MS = EDIT_MAX_HOURS * 3_600_000;

/**
 * Returns whether the user can reply or react to a message, forward, pin, star or select it: a stored one with a
 * content.
 */
export const isAnswerable = ({ seq, isDeleted }: ThreadMessage): boolean => seq !== null && !isDeleted;

/** Returns whether the user can edit a message. The words of a forwarded one may be those of somebody else. */
export function isEditable(message: ThreadMessage, now: number): boolean {
  const { seq, isMine, isDeleted, sendState, editCount = 0, forwarded, timestamp } = message;
  if (!isMine || isDeleted || forwarded) return false;
  if (seq === null) return sendState === "sending";
  return editCount < EDITS_MAX && now - Date.parse(timestamp) < EDIT_MAX_MS;
}

/** Returns whether the user can delete a message: every stored one, at least for themselves. */
export const canDelete = ({ seq, isDeletable }: ThreadMessage): boolean => seq !== null || isDeletable === true;

/** Returns whether the user can delete a stored message for both. */
export const canDeleteForBoth = ({ seq, isMine, isDeleted }: ThreadMessage): boolean =>
  seq !== null && isMine && !isDeleted;
