const POLL_MS = 10;
/** Less than the time limit of a test, so that no wait outlives its test. */
const UNTIL_MAX_MS = 40_000;

/** Resolves when `check` returns true. Rejects after 40 seconds. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + UNTIL_MAX_MS;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`Not true within ${UNTIL_MAX_MS} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
