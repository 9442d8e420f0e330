import { find, type Opts } from "linkifyjs";
import { isSafeLink } from "./isSafeLink.ts";

/** A part of a text that becomes a link. */
export interface Link {
  start: number;
  end: number;
  href: string;
}

const OPTIONS: Opts = { defaultProtocol: "https", validate: isSafeLink };
/**
 * Largest number of tokens of a word that is searched at every position. linkifyjs tries each position up to the end of
 * the word, so the time grows with the square.
 */
const WORD_MAX_TOKENS = 150;
const LONG_WORDS = new RegExp(`(\\S{${WORD_MAX_TOKENS + 1},})`);
/** What linkifyjs counts as one token, or a part of it. */
const TOKENS = /[a-z]+|[^\P{L}a-z]+|\p{N}+|./giu;

/** Returns the web and mail addresses in a text. */
export function findLinks(text: string): Link[] {
  return searchedParts(text).flatMap(([offset, part]) =>
    find(part, OPTIONS).map(({ start, end, href }) => ({ start: offset + start, end: offset + end, href })),
  );
}

/** Returns the parts of a text in which links are searched, each with its position. */
export function searchedParts(text: string): [offset: number, part: string][] {
  let offset = 0;
  return text.split(LONG_WORDS).map((part, index) => {
    const start = index % 2 === 0 ? 0 : startInLongWord(part);
    const searched: [number, string] = [offset + start, part.slice(start)];
    offset += part.length;
    return searched;
  });
}

/**
 * Returns where to begin the search in a long word. A word with more tokens than {@link WORD_MAX_TOKENS} is a link only
 * from a scheme on, or from an address that begins early and has a path: both take one pass to the end of the word.
 */
function startInLongWord(word: string): number {
  if ((word.match(TOKENS)?.length ?? 0) <= WORD_MAX_TOKENS) return 0;
  const scheme = word.search(/https?:\/\/[\p{L}\p{N}]/iu);
  if (scheme >= 0) return scheme;
  const first = find(word.slice(0, WORD_MAX_TOKENS), OPTIONS).at(-1);
  return first?.end === WORD_MAX_TOKENS && /[/?#]/.test(first.value) ? first.start : word.length;
}
