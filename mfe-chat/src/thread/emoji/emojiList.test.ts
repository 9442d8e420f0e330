import { EMOJI_GROUPS, findEmoji } from "./emojiList.ts";

const glyphs = (text: string) => findEmoji(text).map(({ emoji }) => emoji);

it("has a name for each emoji, and no emoji twice", () => {
  const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji);
  expect(all.length).toBeGreaterThan(1_500);
  expect(all.filter(({ emoji, name }) => emoji === "" || name === "")).toEqual([]);
  expect(new Set(all.map(({ emoji }) => emoji)).size).toBe(all.length);
});

it("finds emoji by the beginnings of words, and those by name first", () => {
  expect(glyphs("Thumbs U")).toEqual(["👍️"]);
  expect(glyphs("fox")[0]).toBe("🦊");
  expect(glyphs("happy")).toContain("😀");
  expect(glyphs("ox")).not.toContain("🦊");
  expect(glyphs("qzqz")).toEqual([]);
});
