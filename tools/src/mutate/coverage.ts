import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A test of the table. In its title, `…` stands for the parameters of a parameterised test. */
export interface NamedTest {
  file: string;
  title: string;
}

/** A rule of the specification with the tests that fail if it is violated. */
export interface Rule {
  /** Section and text, for example `2 Login: Enter submits`. */
  name: string;
  section: string;
  tests: NamedTest[];
}

/** Returns the rows of docs/spec-coverage.md. Throws if a row has another format. */
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
      if (!file || !title) throw new Error(`The rule "${rule}" names a test in an invalid format: ${text}`);
      return { file, title };
    }),
  };
}

/** Returns a pattern that matches the titles of a test with any parameters. */
export function titlePattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/…|%[a-z]/g, ".+");
}
