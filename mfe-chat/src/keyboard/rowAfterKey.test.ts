import { rowAfterKey } from "./rowAfterKey.ts";

it.each([
  ["ArrowDown", 0, 1],
  ["ArrowUp", 5, 4],
  ["Home", 5, 0],
  ["End", 5, 9],
])("moves on %s from row %i to row %i of 10", (key, from, to) => {
  expect(rowAfterKey(key, from, 10)).toBe(to);
});

it.each([
  ["ArrowUp", 0],
  ["ArrowDown", 9],
  ["Home", 0],
  ["End", 9],
  ["Enter", 3],
  ["a", 3],
])("stays on %s in row %i of 10", (key, from) => {
  expect(rowAfterKey(key, from, 10)).toBeNull();
});
