import { twoDigits } from "../../time/relativeTime.ts";

const DAY_MS = 86_400_000;

/** Returns 'Today', 'Yesterday', or a date like 'Fri Jan 5, 2024' in the local time zone. */
export function dayHeading(timestamp: string, now: number): string {
  const date = new Date(timestamp);
  // Counted in UTC, because days in UTC have the same length when the clocks change.
  const daysAgo = (Date.parse(dayKey(now)) - Date.parse(dayKey(timestamp))) / DAY_MS;
  if (daysAgo === 0) return "Today";
  if (daysAgo === 1) return "Yesterday";
  // ECMAScript fixes this format: "Fri Jan 05 2024".
  const [weekday, month] = date.toDateString().split(" ");
  return `${weekday} ${month} ${date.getDate()}, ${date.getFullYear()}`;
}

/** Returns the day for the middle of a sentence: 'today', 'yesterday', or a date like 'Fri Jan 5, 2024'. */
export const dayInSentence = (timestamp: string, now: number): string =>
  dayHeading(timestamp, now).replace(/^(?:Today|Yesterday)$/, (day) => day.toLowerCase());

/** Returns a sortable key of the local calendar day. */
export function dayKey(timestamp: string | number): string {
  const date = new Date(timestamp);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
