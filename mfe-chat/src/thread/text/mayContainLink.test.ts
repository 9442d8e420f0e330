import { find } from "linkifyjs";
import { mayContainLink } from "./mayContainLink.ts";

it.each([
  "https://a.example/x",
  "http://x",
  "see a.org.",
  "//a.com",
  "a@b.de",
  "mailto:x",
  "localhost:3000",
  "LOCALHOST",
  "münchen.de",
])("is true for %s, which the library finds", (text) => {
  expect(find(text)).not.toEqual([]);
  expect(mayContainLink(text)).toBe(true);
});

it.each(["Hello!", "At 9:30...", "Yes. No. Maybe", "a/b", ""])("is false for %j", (text) => {
  expect(mayContainLink(text)).toBe(false);
});
