/**
 * Creates a poll: `start` runs it at once, and then again and again until `close`.
 * @param delayMs milliseconds between two runs; or returns them for the result of the last run, `undefined` if it failed
 * @param onError gets the error of each run that rejects
 */
export function pollEvery<Result>(
  delayMs: number | ((result?: Result) => number),
  run: () => Promise<Result>,
  onError: (err: unknown) => void,
) {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function poll(): Promise<void> {
    const result = await run().catch((err) => void onError(err));
    if (!isClosed) timer = setTimeout(start, typeof delayMs === "number" ? delayMs : delayMs(result)).unref();
  }
  function start(): void {
    running = poll();
  }

  return {
    start,
    isClosed: (): boolean => isClosed,
    /** Ends the poll. Resolves when the run that is under way has ended. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
