import { join } from "node:path";
import { findPlaces, readSources } from "tools/mutate/sources";
import { CHECKS } from "../checker/checks.ts";
import { BREAKAGES } from "./breakages.ts";

const sources = readSources(join(__dirname, "../../.."));

it("has a breakage for each check", () => {
  const caught = new Set(BREAKAGES.map(({ check }) => check));
  const EXCEPT = ["an opened thread is read", "each action completes"];
  expect(CHECKS.filter((name) => !caught.has(name) && !EXCEPT.includes(name))).toEqual([]);
});

it.each(BREAKAGES)("matches the product exactly once: $name", ({ find, replace }) => {
  expect(findPlaces(sources, find)).toHaveLength(1);
  expect(replace).not.toBe(find);
});
