import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatError, logProgress } from "./progress.ts";

/** Context of a running command. */
export interface Command {
  /** A temporary folder, which is removed at the end. */
  dir: string;
  /** Aborts when the command ends. */
  signal: AbortSignal;
  /** Runs `cleanup` at the end, before those that were added earlier. */
  atEnd: (cleanup: () => unknown) => void;
}

/**
 * Runs a command and ends the process: with the exit code that `work` returns (default 0), with 1 after an error, with
 * 130 after a signal. A signal cannot interrupt the cleanup.
 * @param name part of the name of the temporary folder
 */
export async function runCommand(
  name: string,
  work: (command: Command) => Promise<number> | Promise<void>,
): Promise<never> {
  const dir = await mkdtemp(join(tmpdir(), `messageoh-${name}-`));
  const aborter = new AbortController();
  const cleanups: (() => unknown)[] = [() => rm(dir, { recursive: true, force: true, maxRetries: 5 })];
  let cleaned: Promise<void> | undefined;

  async function cleanUp(): Promise<void> {
    aborter.abort();
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
      try {
        await cleanup();
      } catch (error) {
        process.stderr.write(`cleanup: ${formatError(error)}\n`);
      }
    }
  }
  async function end(code: number): Promise<never> {
    cleaned ??= cleanUp();
    await cleaned;
    process.exit(code);
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(130));
  let code = 1;
  try {
    code = (await work({ dir, signal: aborter.signal, atEnd: (cleanup) => cleanups.push(cleanup) })) ?? 0;
  } catch (error) {
    if (!cleaned) process.stderr.write(`${formatError(error)}\n`);
  }
  return end(code);
}

/** Moves the logs out of the folder of a command, which takes gigabytes, and says where they are. */
export async function keepLogs({ dir }: Command): Promise<void> {
  const logs = `${dir}-logs`;
  await rename(join(dir, "logs"), logs).then(
    () => logProgress(`the logs are in ${logs}`),
    () => {},
  );
}
