import { plainText } from "@messageoh/contracts/formatting";

const MAX_WORDS = 13;
const MAX_WORDS_BEFORE = 12;
const MAX_WORDS_AFTER = 5;
const CUT = "...";

interface ExcerptPart {
  text: string;
  isMatch: boolean;
}

/**
 * Returns the words around the first match with the match marked: at most 13 words, with '...' at cut ends. The marks
 * of the formatting are shown only if the match contains some.
 */
export function excerpt(text: string, searchText: string): ExcerptPart[] {
  const searched = inOneLine(searchText);
  const plain = inOneLine(plainText(text));
  const asTyped = inOneLine(text);
  const matchInPlain = findIgnoringCase(plain, searched);
  const matchAsTyped = matchInPlain ? null : findIgnoringCase(asTyped, searched);
  const [line, match] = matchAsTyped ? [asTyped, matchAsTyped] : [plain, matchInPlain];
  const words = line.split(" ");
  const matchWord = match ? line.slice(0, match.start).split(" ").length - 1 : 0;

  const end = Math.min(words.length, match ? matchWord + 1 + MAX_WORDS_AFTER : MAX_WORDS);
  const start = Math.max(0, matchWord - MAX_WORDS_BEFORE, end - MAX_WORDS);
  const shown = words.slice(start, end).join(" ");
  const head = start > 0 ? CUT : "";
  const tail = end < words.length ? CUT : "";
  if (!match) return parts([head + shown + tail, false]);

  const offset = words.slice(0, start).join(" ").length + (start > 0 ? 1 : 0);
  const from = match.start - offset;
  const to = Math.min(match.end - offset, shown.length);
  return parts([head + shown.slice(0, from), false], [shown.slice(from, to), true], [shown.slice(to) + tail, false]);
}

const inOneLine = (text: string) => text.trim().split(/\s+/).join(" ");

function parts(...all: [text: string, isMatch: boolean][]): ExcerptPart[] {
  return all.filter(([text]) => text !== "").map(([text, isMatch]) => ({ text, isMatch }));
}

// Search the original text with a pattern: its lower-case form can have another length.
function findIgnoringCase(text: string, searched: string): { start: number; end: number } | null {
  if (searched === "") return null;
  const match = new RegExp(searched.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu").exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : null;
}
