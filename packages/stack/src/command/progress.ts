const REMINDER_MS = 20_000;
const startedAt = Date.now();
let isSilent = false;

/** Prints one line of progress with the seconds since the start of the command. */
export function logProgress(text: string): void {
  if (isSilent) return;
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${seconds}s  ${text}\n`);
}

/** Turns off the output of `logProgress`. */
export function silenceProgress(): void {
  isSilent = true;
}

/** Logs a task, runs it, and logs every 20 seconds that it still runs. */
export async function withProgress<T>(task: string, work: () => Promise<T>): Promise<T> {
  logProgress(`${task} ...`);
  const reminder = setInterval(() => logProgress(`${task}: still running ...`), REMINDER_MS);
  try {
    return await work();
  } finally {
    clearInterval(reminder);
  }
}

/** An error that commands print without a stack trace. */
export class PlainError extends Error {
  override name = "PlainError";
}

/** Returns the text that a command prints for an error. */
export function formatError(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
