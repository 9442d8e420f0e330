import { resultCount } from "./resultCount.ts";

it.each([
  [1, 2, "1 contact, 2 messages"],
  [2, 0, "2 contacts"],
  [0, 1, "1 message"],
  [0, 0, ""],
])("counts %d contacts and %d messages as '%s'", (contacts, messages, text) => {
  expect(resultCount([contacts, "contact"], [messages, "message"])).toBe(text);
});
