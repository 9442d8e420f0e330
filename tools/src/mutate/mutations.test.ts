import { join } from "node:path";
import { readRules } from "../specification/rules.ts";
import { readMutations } from "./mutations.ts";
import { findPlaces, readSources } from "./sources.ts";

const ROOT = join(__dirname, "../../..");
const MUTATIONS = readMutations(ROOT);
const sources = readSources(ROOT);
const rules = new Map(readRules(ROOT).map((rule) => [rule.name, rule]));

it("has patches for at least 60 rules with jest tests and for 5 with browser tests", () => {
  const rulesOf = (isBrowser: boolean) =>
    new Set(MUTATIONS.filter(({ browser = false }) => browser === isBrowser).map(({ rule }) => rule));
  expect(rulesOf(false).size).toBeGreaterThanOrEqual(60);
  expect(rulesOf(true).size).toBeGreaterThanOrEqual(5);
});

it.each(MUTATIONS)("matches exactly once: $rule", ({ rule, find, replace, browser }) => {
  expect(findPlaces(sources, find)).toHaveLength(1);
  expect(replace).not.toBe(find);
  const kind = browser ? ".spec.ts" : ".test.ts";
  expect(rules.get(rule)?.tests.filter(({ file }) => file.includes(kind)).length).toBeGreaterThan(0);
});
