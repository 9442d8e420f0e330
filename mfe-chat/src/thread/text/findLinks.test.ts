import { find } from "linkifyjs";
import { findLinks, searchedParts } from "./findLinks.ts";

const repeat = (unit: string) => unit.repeat(4_000 / unit.length);
const LONG = "/a.b-c_d=1&".repeat(100);

it.each([
  "Hello! See lake.example.org, or mail ann@lake.example.org (mailto:bob@b.de).",
  "请看，example.com，谢谢。".repeat(8),
  `(https://a.example${LONG}) and\n${"no link ".repeat(100)}http://b.example/x.`,
  `see lake.org${LONG} and b.de`,
  `${"文".repeat(2_000)}。https://a.example/文`,
  "localhost:3000/x ".repeat(100),
])("finds what the library finds in %s", (text) => {
  const links = find(text, { defaultProtocol: "https" });
  expect(links).not.toEqual([]);
  expect(findLinks(text)).toEqual(links.map(({ start, end, href }) => ({ start, end, href })));
});

it("finds no address with another scheme", () => {
  expect(findLinks("ftp://a.example javascript:alert(1)")).toEqual([]);
});

it("finds the address after the scheme in a long word", () => {
  const word = `${repeat("a.")}https://b.example`;
  expect(findLinks(word)).toEqual([{ start: 4_000, end: word.length, href: "https://b.example" }]);
});

it.each(["a.", "a/", "a-", "a=", "a&", "a'", "1.", "文.", "文a", "é\u0301", "👩.", "a.com,", "http://,a."])(
  "searches no long word at every position: %s",
  (unit) => {
    const words = searchedParts(repeat(unit)).flatMap(([, part]) => part.split(/\s/));
    expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(150);
  },
);
