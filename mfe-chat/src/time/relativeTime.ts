const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = 7;
const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

/** Age in ms from which a message shows the clock time. */
export const RELATIVE_TIME_LIMIT_MS = HOUR_MS;

/** Returns the time label of a message: a relative time during the first hour, then the clock time. */
export function messageStamp(timestamp: string, now: number): string {
  const age = now - Date.parse(timestamp);
  if (age >= RELATIVE_TIME_LIMIT_MS) return clockTime(timestamp);
  const minutes = Math.floor(age / MINUTE_MS);
  if (minutes < 1) return "now";
  return minutes === 1 ? "1 minute ago" : `${minutes} minutes ago`;
}

/** Returns the local time of day as HH:mm. */
export function clockTime(timestamp: string): string {
  const date = new Date(timestamp);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Returns a short label of an age, for narrow lists. */
export function shortAge(timestamp: string, now: number): string {
  const age = now - Date.parse(timestamp);
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)}min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)}h`;
  const days = Math.floor(age / DAY_MS);
  if (days < WEEK_DAYS) return days === 1 ? "a day" : `${days} days`;
  const weeks = Math.floor(days / WEEK_DAYS);
  // There is no label for a single month, so weeks continue until the second one.
  if (days < 2 * MONTH_DAYS) return weeks === 1 ? "a week" : `${weeks} weeks`;
  // There is no label for several years, so months continue from the second one.
  return days >= YEAR_DAYS && days < 2 * YEAR_DAYS ? "a year" : `${Math.floor(days / MONTH_DAYS)} months`;
}

/** Returns a number with two digits at least. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
