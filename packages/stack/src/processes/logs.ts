import {
  copyFileSync,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
} from "node:fs";
import { dirname } from "node:path";

const ROTATE_BYTES = 10 * 1024 * 1024;
const TAIL_LINES = 15;
/** Longest text of these lines. */
const TAIL_CHARACTERS = 16 * 1024;

/** Opens a part's log for appending, with mode 0600. */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const log = openSync(file, "a", 0o600);
  fchmodSync(log, 0o600);
  return log;
}

/**
 * Moves the content of a log of more than 10 MiB to `FILE.1`. The part keeps the file open and continues to append to
 * it, so lines that it writes meanwhile can be lost. If the disk is full, the content is lost.
 */
export function rotateLog(file: string): void {
  if (!existsSync(file) || statSync(file).size <= ROTATE_BYTES) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch {
    // Free the space all the same.
  }
  truncateSync(file);
}

/** Returns the last lines of a log, indented for an error message. */
export function lastLines(file: string): string {
  if (!existsSync(file)) return "(it wrote no log)";
  const tail = readFileSync(file, "utf8").slice(-TAIL_CHARACTERS);
  const lines = tail.trimEnd().split("\n").slice(-TAIL_LINES);
  return lines.map((line) => `    ${line}`).join("\n");
}
