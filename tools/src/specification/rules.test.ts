import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COVERAGE_PAGE, coveragePage, type NamedTest, readRules } from "./rules.ts";

const ROOT = join(__dirname, "../../..");
const rules = readRules(ROOT);

/** Returns whether a file has a test of this title; `…` stands for parameters. */
function hasTest({ file, title }: NamedTest): boolean {
  const parts = title.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const source = readFileSync(join(ROOT, file), "utf8");
  return new RegExp(`(["'\`])${parts.join(".+")}\\1`).test(source);
}

it("names an existing test for every rule of the specification", () => {
  const missing = rules.flatMap(({ tests }) => tests.filter((named) => !hasTest(named)));
  expect(missing).toEqual([]);
  expect(rules.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

it("covers all nine sections with more than 200 unique rules", () => {
  const sections = new Set(rules.map(({ section }) => section[0]));
  expect([...sections].sort()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  expect(rules.length).toBeGreaterThan(200);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});

it("has a page that is up to date; if not, run npm run spec-coverage", () => {
  expect(readFileSync(join(ROOT, COVERAGE_PAGE), "utf8")).toBe(coveragePage(ROOT));
});
