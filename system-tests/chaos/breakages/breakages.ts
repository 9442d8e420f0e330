import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { CheckName } from "../checker/checks.ts";

/**
 * A patch that breaks the product: a text that occurs exactly once in it, its replacement, and the check that notices.
 */
export interface Breakage {
  name: string;
  check: CheckName;
  find: string;
  replace: string;
  /** Faults that reveal the breakage. Without any, the run has none. */
  faults?: readonly string[];
  /** Arguments of the run, if the usual load does not reveal the breakage. */
  load?: string;
}

/** Returns the patches of breakages.yaml. */
export const readBreakages = (root: string): Breakage[] =>
  parse(readFileSync(join(root, "system-tests/chaos/breakages/breakages.yaml"), "utf8"));
