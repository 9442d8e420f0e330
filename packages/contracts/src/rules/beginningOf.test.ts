import { beginningOf } from "./beginningOf.ts";

it.each([
  ["", ""],
  ["abc", "abc"],
  ["abcd", "abc"],
  ["a🦊🦊🦊", "a🦊🦊"],
  ["🦊🦊🦊🦊", "🦊🦊🦊"],
])("returns the first three characters of '%s'", (text, beginning) => {
  expect(beginningOf(text, 3)).toBe(beginning);
});
