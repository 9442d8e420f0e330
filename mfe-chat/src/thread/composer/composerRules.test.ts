import { composerState } from "./composerRules.ts";

it.each(["", " ", "\n\n", " \t\n "])("rejects %j without an error text", (text) => {
  expect(composerState(text)).toMatchObject({ canSend: false, error: null });
});

it("keeps leading white space and removes trailing", () => {
  expect(composerState("  Hi\nthere \n")).toMatchObject({ canSend: true, message: "  Hi\nthere" });
});

it("accepts 4,000 characters", () => {
  expect(composerState("x".repeat(4000))).toMatchObject({ canSend: true, error: null, count: "4,000 / 4,000" });
});

it("rejects 4,001 characters with an error text", () => {
  expect(composerState("x".repeat(4001))).toMatchObject({
    canSend: false,
    error: "A message has at most 4,000 characters",
    count: "4,001 / 4,000",
  });
});

it("counts an emoji as one character", () => {
  expect(composerState("🦊".repeat(4000)).canSend).toBe(true);
  expect(composerState("🦊".repeat(4001)).canSend).toBe(false);
});

it("shows the count near the limit", () => {
  expect(composerState("x".repeat(3800)).count).toBeNull();
  expect(composerState("x".repeat(3801)).count).toBe("3,801 / 4,000");
});
