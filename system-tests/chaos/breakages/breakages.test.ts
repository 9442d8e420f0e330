import { join } from "node:path";
import { findPlaces, readSources } from "tools/mutate/sources";
import { CHECKS } from "../checker/checks.ts";
import { readBreakages } from "./breakages.ts";

const ROOT = join(__dirname, "../../..");
const BREAKAGES = readBreakages(ROOT);
const sources = readSources(ROOT);

it("has a breakage for each check, and no other", () => {
  const caught = new Set(BREAKAGES.map(({ check }) => check));
  expect(CHECKS).toEqual(expect.arrayContaining([...caught]));
  const EXCEPT = ["an opened thread is read", "each action completes"];
  expect(CHECKS.filter((name) => !caught.has(name) && !EXCEPT.includes(name))).toEqual([]);
});

it.each(BREAKAGES)("matches the product exactly once: $name", ({ find, replace }) => {
  expect(findPlaces(sources, find)).toHaveLength(1);
  expect(replace).not.toBe(find);
});
