import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** A test of a rule. In its title, `…` stands for the parameters of a parameterised test. */
export interface NamedTest {
  file: string;
  title: string;
}

/** A rule of the specification with the tests that fail if it is violated. */
export interface Rule {
  /** Section and text, for example `2 Login: Enter submits`. */
  name: string;
  section: string;
  text: string;
  tests: NamedTest[];
}

interface Specification {
  /** Titles of tests by file, rule and section. */
  rules: Record<string, Record<string, Record<string, string[]>>>;
  differences: { specification: string; product: string; reason: string }[];
}

const readYaml = (root: string): Specification =>
  parse(readFileSync(join(root, "tools/src/specification/rules.yaml"), "utf8"));

/** Returns the rules of rules.yaml. */
export const readRules = (root: string): Rule[] =>
  Object.entries(readYaml(root).rules).flatMap(([section, rules]) =>
    Object.entries(rules).map(([text, files]) => {
      const tests = Object.entries(files).flatMap(([file, titles]) => titles.map((title) => ({ file, title })));
      return { name: `${section}: ${text}`, section, text, tests };
    }),
  );

/** Returns a pattern that matches the titles of a test with any parameters. */
export function titlePattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/…|%[a-z]/g, ".+");
}

/** The page that {@link coveragePage} describes, relative to the root. */
export const COVERAGE_PAGE = "docs/spec-coverage.md";

const HEAD = `# Specification coverage

<!-- Generated from tools/src/specification/rules.yaml by \`npm run spec-coverage\`. -->

This page lists, for each rule of the specification, the tests that fail when the rule is broken. Unit tests beside the
code prove rules of state and time; browser tests in \`system-tests/browser/specs/\` prove what a person sees. \`…\`, \`%s\`, \`%i\`, \`%j\` and
\`%d\` stand for the part of a title that a table of cases fills in. A test checks that every test named here exists, and
\`npm run mutate\` breaks many of these rules one by one and expects a test of the rule to fail.
`;

/** Returns the text of docs/spec-coverage.md. */
export function coveragePage(root: string): string {
  const sections = [...Map.groupBy(readRules(root), ({ section }) => section)].map(
    ([section, rules]) => `## ${section}\n\n${rules.map(ruleLines).join("\n")}\n`,
  );
  const differences = readYaml(root).differences.map(
    ({ specification, product, reason }) => `- **${specification}**: ${product}. ${reason}.`,
  );
  const last = `## Deliberate differences\n\nThe product differs from the specification in these points.\n\n${differences.join("\n")}\n`;
  return [HEAD, ...sections, last].join("\n");
}

const ruleLines = ({ text, tests }: Rule): string =>
  [`- ${text}`, ...tests.map(({ file, title }) => `  - \`${file}\`: ${title}`)].join("\n");
