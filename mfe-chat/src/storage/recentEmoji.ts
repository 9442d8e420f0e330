const MOST = 16;
const keyOf = (userId: string) => `messageoh:recent-emoji:${userId}`;

/** Returns the emoji that a user last chose in this browser, newest first. */
export function recentEmoji(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter((emoji) => typeof emoji === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts an emoji first among the recent ones. */
export function noteRecentEmoji(userId: string, emoji: string): void {
  const recent = [emoji, ...recentEmoji(userId).filter((other) => other !== emoji)].slice(0, MOST);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(recent));
  } catch (error) {
    console.warn("A recent emoji could not be stored", error);
  }
}
