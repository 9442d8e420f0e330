import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type NamedTest, readRules } from "../mutate/coverage.ts";

const ROOT = join(__dirname, "../../..");
const rules = readRules(ROOT);

/** Whether a file has a test of this title; `…` stands for what a table of cases fills in. */
function hasTest({ file, title }: NamedTest): boolean {
  const parts = title.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const source = readFileSync(join(ROOT, file), "utf8");
  return new RegExp(`(["'\`])${parts.join(".+")}\\1`).test(source);
}

test("every rule of the specification names its tests, and every one of them exists", () => {
  const missing = rules.flatMap(({ tests }) => tests.filter((named) => !hasTest(named)));
  expect(missing).toEqual([]);
});

test("all nine sections are there, with more than 200 rules, each once", () => {
  const sections = new Set(rules.map(({ section }) => section[0]));
  expect([...sections].sort()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  expect(rules.length).toBeGreaterThan(200);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});
