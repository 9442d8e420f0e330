import { clockTime, messageStamp } from "../time/relativeTime.ts";
import { dayHeading } from "./days/dayHeading.ts";

const HOUR_MS = 3_600_000;

/** Returns when a friend was last online: relative during the first hour, then day and time, then only the day. */
export function lastSeenLabel(timestamp: string, now: number): string {
  const age = now - Date.parse(timestamp);
  if (age < HOUR_MS) {
    const stamp = messageStamp(timestamp, now);
    return `Last seen ${stamp === "now" ? "just now" : stamp}`;
  }
  const day = dayHeading(timestamp, now);
  const isNear = day === "Today" || day === "Yesterday";
  return isNear ? `Last seen ${day.toLowerCase()} at ${clockTime(timestamp)}` : `Last seen ${day}`;
}
