import { newMessages } from "./newMessages.ts";

describe("the line above the new messages", () => {
  const now = new Date(2024, 0, 8, 9).getTime();

  it.each([
    [1, new Date(2024, 0, 8, 8), "1 new message"],
    [3, new Date(2024, 0, 8, 0), "3 new messages"],
    [3, new Date(2024, 0, 7, 23), "3 new messages since yesterday"],
    [120, new Date(2024, 0, 5), "120 new messages since Fri Jan 5, 2024"],
  ])("says how many there are, and since when if that is not today: %d at %s", (count, first, text) => {
    expect(newMessages(count, first.toISOString(), now)).toBe(text);
  });
});
