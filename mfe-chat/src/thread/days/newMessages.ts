import { dayInSentence } from "./dayHeading.ts";

/**
 * Returns '3 new messages', with the day of the first one unless that is today: '3 new messages since yesterday'.
 * @param timestamp time of the first new message
 */
export function newMessages(count: number, timestamp: string, now: number): string {
  const text = `${count} new ${count === 1 ? "message" : "messages"}`;
  const day = dayInSentence(timestamp, now);
  return day === "today" ? text : `${text} since ${day}`;
}
