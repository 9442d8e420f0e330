const MINUTE_MS = 60_000;
/** The server records the last use every few minutes; a smaller difference is meaningless. */
const ACTIVE_MINUTES = 10;

const relative = new Intl.RelativeTimeFormat("en");

/** Returns a text that says when a session was last used. */
export function lastUse(timestamp: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(timestamp)) / MINUTE_MS);
  if (minutes < ACTIVE_MINUTES) return "Active now";
  if (minutes < 60) return `Last used ${relative.format(-minutes, "minute")}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `Last used ${relative.format(-hours, "hour")}`;
  return `Last used ${relative.format(-Math.floor(hours / 24), "day")}`;
}

const moment = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Returns a text that says when a session began. */
export const sessionBegin = (timestamp: string): string => `Logged in ${moment.format(new Date(timestamp))}`;
