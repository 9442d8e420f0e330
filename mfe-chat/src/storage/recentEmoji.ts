import { browserStorage, parseJson, storedUnder } from "./browserStorage.ts";

const MOST = 16;
const stored = () => storedUnder("messageoh:recent-emoji:", browserStorage(), "Recent emoji");

/** Returns the emoji that a user last chose in this browser, newest first. */
export function recentEmoji(userId: string): string[] {
  const emoji = parseJson(stored().get(userId));
  return Array.isArray(emoji) ? emoji.filter((item) => typeof item === "string").slice(0, MOST) : [];
}

/** Puts an emoji first among the recent ones. */
export function noteRecentEmoji(userId: string, emoji: string): void {
  const recent = [emoji, ...recentEmoji(userId).filter((other) => other !== emoji)].slice(0, MOST);
  stored().set(userId, JSON.stringify(recent));
}
