import { excerpt } from "./excerpt.ts";

const words = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `w${from + i}`).join(" ");
/** The excerpt as one text with the match in brackets. */
const shown = (text: string, searchText: string) =>
  excerpt(text, searchText)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join("");
const countWords = (text: string) => text.split(/\s+/).length;

test("a short message is shown whole with the match marked", () => {
  expect(shown("See you at the harbour", "harbour")).toBe("See you at the [harbour]");
});

test("the case does not matter and is kept", () => {
  expect(shown("See you at the Harbour", "hArB")).toBe("See you at the [Harb]our");
});

test("a match inside a word marks that part only", () => {
  expect(shown("a lighthouse", "house")).toBe("a light[house]");
});

test("only the first match is marked", () => {
  expect(shown("tea or tea", "tea")).toBe("[tea] or tea");
});

test("a match at the start keeps five words after it", () => {
  expect(shown(`hit ${words(1, 20)}`, "hit")).toBe("[hit] w1 w2 w3 w4 w5...");
});

test("a match at the end keeps twelve words before it", () => {
  expect(shown(`${words(1, 20)} hit`, "hit")).toBe("...w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 [hit]");
});

test("a match in the middle has thirteen words and dots at both ends", () => {
  const text = shown(`${words(1, 20)} hit ${words(21, 40)}`, "hit");
  expect(text).toBe("...w14 w15 w16 w17 w18 w19 w20 [hit] w21 w22 w23 w24 w25...");
  expect(countWords(text)).toBe(13);
});

test("no excerpt of any place has more than thirteen words", () => {
  for (let before = 0; before < 30; before++) {
    for (let after = 0; after < 30; after++) {
      const text = [...Array(before).fill("a"), "hit", ...Array(after).fill("b")].join(" ");
      expect(countWords(shown(text, "hit"))).toBeLessThanOrEqual(13);
    }
  }
});

test("a match of several words begins at its first word", () => {
  expect(shown("meet me at noon today", "at noon")).toBe("meet me [at noon] today");
});

test("line breaks and blanks count as one blank, in the message and in what was typed", () => {
  expect(shown("meet\n\nme   at noon", " me at ")).toBe("meet [me at] noon");
});

test("characters with a meaning in patterns are plain text", () => {
  expect(shown("costs 5$ (or 6.50)", "$ (or 6.")).toBe("costs 5[$ (or 6.]50)");
  expect(shown("a-b_c#d&e~f,g=h!i<j>k", "-b_c#d&e~f,g=h!i<j>")).toBe("a[-b_c#d&e~f,g=h!i<j>]k");
  expect(shown("C:\\temp/x", "\\temp/")).toBe("C:[\\temp/]x");
});

test("markup in a message stays text", () => {
  expect(excerpt("<b>hi</b>", "hi").map((part) => part.text)).toEqual(["<b>", "hi", "</b>"]);
});

test("letters that grow in lower case do not move the mark", () => {
  expect(shown("İİİ hit", "hit")).toBe("İİİ [hit]");
});

test("a match longer than the excerpt is marked as far as it is shown", () => {
  expect(shown(words(1, 30), words(1, 20))).toBe("[w1 w2 w3 w4 w5 w6]...");
});

test("a message found by another rule of the server shows its beginning", () => {
  expect(shown(words(1, 20), "elsewhere")).toBe(`${words(1, 13)}...`);
});
