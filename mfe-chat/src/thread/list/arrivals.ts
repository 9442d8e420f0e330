import { summaryOf } from "@messageoh/contracts/attachments";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";

const MOST_READ_OUT = 3;

/** Returns the sequence number of the newest stored message. */
export const newestSeq = (messages: readonly ThreadMessage[]): number =>
  messages.findLast(({ seq }) => seq !== null)?.seq ?? 0;

/**
 * Returns the announcement of the friend's messages after `seenSeq`: their texts, or their number if there are many.
 */
export function announcement(messages: readonly ThreadMessage[], seenSeq: number, friendName: string): string {
  const lastSeen = messages.findLastIndex(({ seq }) => seq !== null && seq <= seenSeq);
  const arrived = messages.slice(lastSeen + 1).filter(({ isMine, isDeleted }) => !isMine && !isDeleted);
  if (arrived.length > MOST_READ_OUT) return `${arrived.length} new messages from ${friendName}`;
  return arrived.map((message) => `${friendName}: ${summaryOf(message)}`).join("\n");
}

/** Returns the announcement of own messages that could not be sent: their texts, or their number if there are many. */
export const failureAnnouncement = (failed: readonly ThreadMessage[]): string =>
  failed.length > MOST_READ_OUT
    ? `${failed.length} messages not sent`
    : failed.map((message) => `Message not sent: ${summaryOf(message)}`).join("\n");
