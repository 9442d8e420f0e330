import { excerpt } from "./excerpt.ts";

const words = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `w${from + i}`).join(" ");
/** Returns the excerpt as one text with the match in brackets. */
const shown = (text: string, searchText: string) =>
  excerpt(text, searchText)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join("");
const countWords = (text: string) => text.split(/\s+/).length;

it("shows a short message completely with the match marked", () => {
  expect(shown("See you at the harbour", "harbour")).toBe("See you at the [harbour]");
});

it("ignores the case of the text and keeps that of the message", () => {
  expect(shown("See you at the Harbour", "hArB")).toBe("See you at the [Harb]our");
});

it("marks only the matching part of a word", () => {
  expect(shown("a lighthouse", "house")).toBe("a light[house]");
});

it("marks only the first match", () => {
  expect(shown("tea or tea", "tea")).toBe("[tea] or tea");
});

it("keeps five words after a match at the start", () => {
  expect(shown(`hit ${words(1, 20)}`, "hit")).toBe("[hit] w1 w2 w3 w4 w5...");
});

it("keeps twelve words before a match at the end", () => {
  expect(shown(`${words(1, 20)} hit`, "hit")).toBe("...w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 [hit]");
});

it("shows thirteen words and dots at both ends for a match in the middle", () => {
  const text = shown(`${words(1, 20)} hit ${words(21, 40)}`, "hit");
  expect(text).toBe("...w14 w15 w16 w17 w18 w19 w20 [hit] w21 w22 w23 w24 w25...");
  expect(countWords(text)).toBe(13);
});

it("never shows more than thirteen words", () => {
  for (let before = 0; before < 30; before++) {
    for (let after = 0; after < 30; after++) {
      const text = [...Array(before).fill("a"), "hit", ...Array(after).fill("b")].join(" ");
      expect(countWords(shown(text, "hit"))).toBeLessThanOrEqual(13);
    }
  }
});

it("starts a match of several words at its first word", () => {
  expect(shown("meet me at noon today", "at noon")).toBe("meet me [at noon] today");
});

it("treats line breaks and runs of spaces as one space, in the message and in the text", () => {
  expect(shown("meet\n\nme   at noon", " me at ")).toBe("meet [me at] noon");
});

it("treats characters with a meaning in patterns as plain text", () => {
  expect(shown("costs 5$ (or 6.50)", "$ (or 6.")).toBe("costs 5[$ (or 6.]50)");
  expect(shown("a-b_c#d&e~f,g=h!i<j>k", "-b_c#d&e~f,g=h!i<j>")).toBe("a[-b_c#d&e~f,g=h!i<j>]k");
  expect(shown("C:\\temp/x", "\\temp/")).toBe("C:[\\temp/]x");
});

it("keeps markup in a message as text", () => {
  expect(excerpt("<b>hi</b>", "hi").map((part) => part.text)).toEqual(["<b>", "hi", "</b>"]);
});

it("marks the right characters if the lower-case form is longer", () => {
  expect(shown("İİİ hit", "hit")).toBe("İİİ [hit]");
});

it("marks the visible part of a match longer than the excerpt", () => {
  expect(shown(words(1, 30), words(1, 20))).toBe("[w1 w2 w3 w4 w5 w6]...");
});

it("shows the beginning of a message that matches only on the server", () => {
  expect(shown(words(1, 20), "elsewhere")).toBe(`${words(1, 13)}...`);
});

it("shows a text without the marks of its formatting, and marks a match across them", () => {
  expect(shown("> a *bold* _word_", "bold word")).toBe("a [bold word]");
  expect(shown("a *bold* word", "OLD")).toBe("a b[old] word");
});

it("shows the marks if the match contains some", () => {
  expect(shown("a *bold* word", "*bold*")).toBe("a [*bold*] word");
});
