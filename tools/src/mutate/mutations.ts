import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** A patch that violates a rule: a text that occurs exactly once in the product, and its replacement. */
interface Mutation {
  /** Section and text of the rule in docs/spec-coverage.md. */
  rule: string;
  find: string;
  replace: string;
  /** Whether browser tests check the rule. */
  browser?: true;
}

/** Returns the patches of mutations.yaml. */
export const readMutations = (root: string): Mutation[] =>
  parse(readFileSync(join(root, "tools/src/mutate/mutations.yaml"), "utf8"));
