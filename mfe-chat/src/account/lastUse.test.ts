import { lastUse } from "./lastUse.ts";

const NOW = Date.parse("2024-01-05T12:00:00.000Z");

it.each([
  ["2024-01-05T12:00:03.000Z", "Active now"],
  ["2024-01-05T11:50:01.000Z", "Active now"],
  ["2024-01-05T11:50:00.000Z", "Last used 10 minutes ago"],
  ["2024-01-05T11:00:00.000Z", "Last used 1 hour ago"],
  ["2024-01-04T12:00:01.000Z", "Last used 23 hours ago"],
  ["2024-01-04T12:00:00.000Z", "Last used 1 day ago"],
  ["2023-12-07T12:00:00.000Z", "Last used 29 days ago"],
])("describes a use at %s as: %s", (timestamp, words) => {
  expect(lastUse(timestamp, NOW)).toBe(words);
});
