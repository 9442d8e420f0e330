import { preview } from "./preview.ts";

test("nine words are shown whole", () => {
  expect(preview("one two three four five six seven eight nine")).toBe("one two three four five six seven eight nine");
});

test("the tenth word is cut and three dots say so", () => {
  expect(preview("one two three four five six seven eight nine ten")).toBe(
    "one two three four five six seven eight nine...",
  );
});

test("line breaks and runs of blanks part words like a single blank", () => {
  expect(preview("  one\ntwo \t three\n\n")).toBe("one two three");
});

test("blanks after the ninth word are no tenth word", () => {
  expect(preview("1 2 3 4 5 6 7 8 9   ")).toBe("1 2 3 4 5 6 7 8 9");
});

test("an empty message has an empty preview", () => {
  expect(preview("")).toBe("");
});

test("one long word is one word", () => {
  expect(preview("x".repeat(4000))).toHaveLength(4000);
});
