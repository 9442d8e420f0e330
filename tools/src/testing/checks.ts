/** Number of passed and failed checks of a section, or the reason why it did not run. */
export type Count = {
  passed: number;
  failed: number;
  /** Lines on tests that failed, or passed only on retry. */
  remarks?: string[];
  notRun?: string;
};

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
