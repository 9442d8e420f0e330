import { lastSeenLabel } from "./lastSeenLabel.ts";

const NOW = new Date(2024, 0, 8, 12, 0, 0);

it.each([
  [new Date(2024, 0, 8, 11, 59, 30), "Last seen just now"],
  [new Date(2024, 0, 8, 12, 0, 5), "Last seen just now"],
  [new Date(2024, 0, 8, 11, 55), "Last seen 5 minutes ago"],
  [new Date(2024, 0, 8, 9, 5), "Last seen today at 09:05"],
  [new Date(2024, 0, 7, 23, 5), "Last seen yesterday at 23:05"],
  [new Date(2024, 0, 5, 23, 5), "Last seen Fri Jan 5, 2024"],
])("labels %s", (time, label) => {
  expect(lastSeenLabel(time.toISOString(), NOW.getTime())).toBe(label);
});
