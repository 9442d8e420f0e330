import type { Count } from "./count.ts";

/** Runs one named check; a failure is counted and does not stop the next check. */
export type Check = (name: string, work: () => Promise<void> | void) => Promise<boolean>;

/** Counts named checks and prints each with its outcome. */
export function createChecks(): { check: Check; count: Count } {
  const count: Count = { passed: 0, failed: 0 };
  const check: Check = async (name, work) => {
    try {
      await work();
      count.passed += 1;
      process.stdout.write(`  ✓ ${name}\n`);
      return true;
    } catch (error) {
      count.failed += 1;
      process.stdout.write(`  ✗ ${name}\n${(error as Error).message.replace(/^/gm, "      ")}\n`);
      return false;
    }
  };
  return { check, count };
}
