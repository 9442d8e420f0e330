import { composerState } from "./composerRules.ts";

test.each(["", " ", "\n\n", " \t\n "])("%j cannot be sent and gets no reason", (text) => {
  expect(composerState(text)).toMatchObject({ canSend: false, error: null });
});

test("a text keeps the white space before it and loses that behind it", () => {
  expect(composerState("  Hi\nthere \n")).toMatchObject({ canSend: true, message: "  Hi\nthere" });
});

test("4,000 characters can be sent", () => {
  expect(composerState("x".repeat(4000))).toMatchObject({ canSend: true, error: null, count: "4,000 / 4,000" });
});

test("4,001 characters cannot be sent, and the reason is given", () => {
  expect(composerState("x".repeat(4001))).toMatchObject({
    canSend: false,
    error: "A message has at most 4,000 characters",
    count: "4,001 / 4,000",
  });
});

test("an emoji counts as one character", () => {
  expect(composerState("🦊".repeat(4000)).canSend).toBe(true);
  expect(composerState("🦊".repeat(4001)).canSend).toBe(false);
});

test("the count appears when the room becomes scarce", () => {
  expect(composerState("x".repeat(3800)).count).toBeNull();
  expect(composerState("x".repeat(3801)).count).toBe("3,801 / 4,000");
});
