import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");
const rows = readFileSync(join(ROOT, "docs/spec-coverage.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, section = "", rule = "", tests = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { section, rule, tests: tests.split("<br>").map((test) => /^`([^`]+)`: (.+)$/.exec(test)) };
  });

/** Whether a file has a test of this title; `…` stands for what a table of cases fills in. */
function hasTest(file: string, title: string): boolean {
  const parts = title.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const source = readFileSync(join(ROOT, file), "utf8");
  return new RegExp(`(["'\`])${parts.join(".+")}\\1`).test(source);
}

test("every rule of the specification names its tests, and every one of them exists", () => {
  const missing = rows.flatMap(({ rule, tests }) =>
    tests.filter((test) => !test?.[1] || !test[2] || !hasTest(test[1], test[2])).map((test) => test?.[0] ?? rule),
  );
  expect(missing).toEqual([]);
});

test("all nine sections are there, with more than 200 rules", () => {
  const sections = new Set(rows.map(({ section }) => section[0]));
  expect([...sections].sort()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  expect(rows.length).toBeGreaterThan(200);
});
