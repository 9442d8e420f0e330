import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A test that the table names: its file, and its title with `…` for what a table of cases fills in. */
export interface NamedTest {
  file: string;
  title: string;
}

/** A rule of the specification with the tests that fail when it is broken. */
export interface Rule {
  /** Section and text, for example `2 Login: Enter submits`. */
  name: string;
  section: string;
  tests: NamedTest[];
}

/** Returns the rows of docs/spec-coverage.md. Throws on a row that names a test in another form. */
export function readRules(root: string): Rule[] {
  const lines = readFileSync(join(root, "docs/spec-coverage.md"), "utf8").split("\n");
  return lines.filter((line) => /^\| \d/.test(line)).map(parseRow);
}

function parseRow(line: string): Rule {
  const [, section = "", rule = "", tests = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return {
    name: `${section}: ${rule}`,
    section,
    tests: tests.split("<br>").map((text) => {
      const { file, title } = /^`(?<file>[^`]+)`: (?<title>.+)$/.exec(text)?.groups ?? {};
      if (!file || !title) throw new Error(`The rule "${rule}" names a test that cannot be read: ${text}`);
      return { file, title };
    }),
  };
}

/** Returns a pattern for the titles that a test of the table has when it runs. */
export function titlePattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/…|%[a-z]/g, ".+");
}
