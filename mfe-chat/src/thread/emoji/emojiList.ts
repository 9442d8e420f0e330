import groups from "./emoji.json";

export interface Emoji {
  emoji: string;
  name: string;
  /** Name and other words that find it. */
  words: string;
}

/** All emoji by group, in the order and with the English names of Unicode 15. */
export const EMOJI_GROUPS: readonly { name: string; emoji: readonly Emoji[] }[] = Object.entries(groups).map(
  ([name, entries]) => ({ name, emoji: entries.split("|").map(parse) }),
);

/** Parses an entry: the emoji, a space, its name, and after a semicolon other words. */
function parse(entry: string): Emoji {
  const [emoji = ""] = entry.split(" ", 1);
  const [name = "", others = ""] = entry.slice(emoji.length + 1).split(";");
  return { emoji, name, words: `${name} ${others}`.toLowerCase() };
}

const MOST_FOUND = 64;

/** Returns the emoji of which each searched word begins a word, best matches by name first. */
export function findEmoji(text: string): Emoji[] {
  const wanted = text.toLowerCase().trim().split(/\s+/);
  const begins = (words: string) => wanted.every((word) => ` ${words}`.includes(` ${word}`));
  const found = EMOJI_GROUPS.flatMap(({ emoji }) => emoji.filter(({ words }) => begins(words)));
  const isByName = ({ name }: Emoji) => Number(begins(name.toLowerCase()));
  return found.sort((a, b) => isByName(b) - isByName(a)).slice(0, MOST_FOUND);
}
