/** @jest-environment jest-fixed-jsdom */
import { nextIndex } from "./nextIndex.ts";

it.each([
  ["ArrowRight", 0, 1],
  ["ArrowDown", 16, 17],
  ["ArrowDown", 17, 0],
  ["ArrowLeft", 5, 4],
  ["ArrowUp", 0, 17],
  ["ArrowUp", -1, 17],
  ["Home", 9, 0],
  ["End", 9, 17],
])("moves on %s from %i to %i of 18", (key, from, to) => {
  expect(nextIndex(key, from, 18)).toBe(to);
});

it.each([
  ["ArrowRight", 5, 4],
  ["ArrowLeft", 5, 6],
  ["ArrowDown", 5, 6],
  ["ArrowUp", 5, 4],
])("moves on %s from %i to %i in a layout from right to left", (key, from, to) => {
  document.documentElement.dir = "rtl";
  const target = nextIndex(key, from, 18);
  document.documentElement.dir = "";
  expect(target).toBe(to);
});

it.each(["Enter", " ", "Tab", "a"])("does not move on %j", (key) => {
  expect(nextIndex(key, 3, 18)).toBeNull();
});

it("returns null for an empty list", () => {
  expect(nextIndex("Home", 0, 0)).toBeNull();
});

it.each([
  ["ArrowDown", 0, 1],
  ["ArrowUp", 5, 4],
  ["Home", 5, 0],
  ["End", 5, 9],
  ["ArrowUp", 0, null],
  ["ArrowDown", 9, null],
  ["Enter", 3, null],
])("moves on %s from %i of 10 to %s without wrapping around", (key, from, to) => {
  expect(nextIndex(key, from, 10, false)).toBe(to);
});
