import { summaryOf } from "@messageoh/contracts/attachments";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";

const MOST_READ_OUT = 3;

/** Returns the sequence number of the newest stored message. */
export function newestSeq(messages: readonly ThreadMessage[]): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const seq = messages[index]?.seq;
    if (seq != null) return seq;
  }
  return 0;
}

/**
 * Returns the announcement of the friend's messages after `seenSeq`: their texts, or their number if there are many.
 */
export function announcement(messages: readonly ThreadMessage[], seenSeq: number, friendName: string): string {
  const arrived: ThreadMessage[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (!message || (message.seq !== null && message.seq <= seenSeq)) break;
    if (!message.isMine && !message.isDeleted) arrived.unshift(message);
  }
  if (arrived.length > MOST_READ_OUT) return `${arrived.length} new messages from ${friendName}`;
  return arrived.map((message) => `${friendName}: ${summaryOf(message)}`).join("\n");
}
