import { preview } from "./preview.ts";

it("shows nine words completely", () => {
  expect(preview("one two three four five six seven eight nine")).toBe("one two three four five six seven eight nine");
});

it("cuts the tenth word and adds three dots", () => {
  expect(preview("one two three four five six seven eight nine ten")).toBe(
    "one two three four five six seven eight nine...",
  );
});

it("treats line breaks and runs of spaces as one space", () => {
  expect(preview("  one\ntwo \t three\n\n")).toBe("one two three");
});

it("does not count trailing spaces as a tenth word", () => {
  expect(preview("1 2 3 4 5 6 7 8 9   ")).toBe("1 2 3 4 5 6 7 8 9");
});

it("is empty for an empty message", () => {
  expect(preview("")).toBe("");
});

it("counts a long word as one word", () => {
  expect(preview("x".repeat(4000))).toHaveLength(4000);
});
