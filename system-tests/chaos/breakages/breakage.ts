import type { CheckName } from "../checker/checks.ts";

/** A patch that breaks the product: a text that occurs exactly once in it, its replacement, and the check that notices. */
export interface Breakage {
  name: string;
  find: string;
  replace: string;
  check: CheckName;
  /** Faults that reveal the breakage. Without any, the run has none. */
  faults?: readonly string[];
  /** Arguments of the run, if the usual load does not reveal the breakage. */
  load?: readonly string[];
}

/** Sends messages to svc-messages. */
export const FORWARD = 'const result = await store(message);\n      if (!("retry" in result)) {';
