import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { dayKey } from "./dayHeading.ts";

export type Row =
  | { kind: "day"; key: string; timestamp: string }
  | { kind: "unread"; key: "unread"; timestamp: string }
  | { kind: "message"; key: string; message: ThreadMessage; isFollowed: boolean };

/**
 * Returns the rows of the message list: messages, a heading between two days and a line above the friend's first unread
 * message. The first day's heading is not a row: it is above the list, so that inserting older messages does not change
 * existing rows.
 */
export function groupByDay(messages: readonly ThreadMessage[], firstUnreadSeq: number | null): Row[] {
  const rows: Row[] = [];
  let hasUnreadLine = firstUnreadSeq === null;
  messages.forEach((message, index) => {
    const previous = messages[index - 1];
    if (previous && dayOf(previous) !== dayOf(message)) {
      rows.push({ kind: "day", key: `day ${dayOf(message)} ${message.key}`, timestamp: message.timestamp });
    }
    if (!hasUnreadLine && !message.isMine && message.seq !== null && message.seq >= (firstUnreadSeq ?? 0)) {
      rows.push({ kind: "unread", key: "unread", timestamp: message.timestamp });
      hasUnreadLine = true;
    }
    rows.push({ kind: "message", key: message.key, message, isFollowed: isSameRun(message, messages[index + 1]) });
  });
  return rows;
}

function isSameRun(message: ThreadMessage, next: ThreadMessage | undefined): boolean {
  return next !== undefined && next.isMine === message.isMine && dayOf(next) === dayOf(message);
}

/** Caches the day of each message, because every new message groups the whole thread again. */
const days = new WeakMap<ThreadMessage, string>();

function dayOf(message: ThreadMessage): string {
  let day = days.get(message);
  if (day === undefined) {
    day = dayKey(message.timestamp);
    days.set(message, day);
  }
  return day;
}
