const POLL_MS = 10;

/** Resolves when `check` returns true. The time limit is that of the test. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
