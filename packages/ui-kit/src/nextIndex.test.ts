import { nextIndex } from "./nextIndex.tsx";

test.each([
  ["ArrowRight", 0, 1],
  ["ArrowDown", 16, 17],
  ["ArrowDown", 17, 0],
  ["ArrowLeft", 5, 4],
  ["ArrowUp", 0, 17],
  ["ArrowUp", -1, 17],
  ["Home", 9, 0],
  ["End", 9, 17],
])("%s moves from %i to %i of 18", (key, from, to) => {
  expect(nextIndex(key, from, 18)).toBe(to);
});

test.each(["Enter", " ", "Tab", "a"])("%j does not move", (key) => {
  expect(nextIndex(key, 3, 18)).toBeNull();
});

test("an empty row has nowhere to go", () => {
  expect(nextIndex("Home", 0, 0)).toBeNull();
});
