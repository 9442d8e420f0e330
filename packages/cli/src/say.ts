const STILL_MS = 20_000;
const began = Date.now();
let quiet = false;

/** One line of progress for the person at the terminal, with the seconds since the command began. */
export function say(text: string): void {
  if (quiet) return;
  const seconds = ((Date.now() - began) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${seconds}s  ${text}\n`);
}

/** From now on progress is not shown. */
export function quietly(): void {
  quiet = true;
}

/** Says what is being done, and from time to time that it still is, so that nobody takes long work for a hang. */
export async function saying<T>(what: string, work: () => Promise<T>): Promise<T> {
  say(`${what} ...`);
  const reminder = setInterval(() => say(`${what}: still at it ...`), STILL_MS);
  try {
    return await work();
  } finally {
    clearInterval(reminder);
  }
}

/** A failure whose message is all that a person needs: the commands print it without a stack. */
export class PlainError extends Error {
  override name = "PlainError";
}

/** What a command prints when it cannot go on. */
export function explain(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
