import { type ChildProcess, type ExecFileException, execFile, spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { PlainError } from "./progress.ts";

type RunOptions = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };
/** `label` stands before each line, for commands that run at the same time. */
export type RunShownOptions = { cwd?: string; env?: NodeJS.ProcessEnv; label?: string | undefined };

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill();
});

/** Runs a command and returns its output. Throws an error with the last lines if the command fails. */
export async function run(command: string, args: string[], { input, ...options }: RunOptions = {}): Promise<string> {
  const ended = promisify(execFile)(command, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY });
  const { child } = ended;
  running.add(child);
  child.stdin?.on("error", () => {}).end(input);
  try {
    return (await ended).stdout;
  } catch (error) {
    const { code, signal, stdout, stderr } = error as ExecFileException;
    // The program could not be started.
    if (typeof code === "string") throw error;
    const tail = `${stdout}\n${stderr}`.trim().split("\n").slice(-15).join("\n");
    throw new PlainError(`${command} ${args[0] ?? ""} ended with ${signal ?? `exit code ${code}`}:\n${tail}`);
  } finally {
    running.delete(child);
  }
}

/** Runs a command with its output on the terminal and returns its exit code. */
export function runShown(command: string, args: string[], { label, ...options }: RunShownOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const output = label === undefined ? "inherit" : "pipe";
    const child = spawn(command, args, { ...options, stdio: ["ignore", output, output] });
    running.add(child);
    for (const stream of ["stdout", "stderr"] as const) {
      const input = child[stream];
      if (input) createInterface({ input }).on("line", (line) => process[stream].write(`${label}: ${line}\n`));
    }
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** Returns the absolute path of the first of these programs on PATH or in a system folder, or `undefined`. */
export function findProgram(...names: string[]): string | undefined {
  const dirs = (process.env.PATH ?? "").split(delimiter).concat("/usr/local/sbin", "/usr/sbin", "/sbin");
  for (const name of names) {
    for (const dir of dirs) {
      const file = join(dir, name);
      if (dir !== "" && isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the arguments of `unshare` for a command that mounts file systems, as root or not, if it can run. */
export const findNamespace = (...command: string[]): string[] | undefined =>
  [["--mount"], ["--user", "--map-root-user", "--mount"]].find(
    (options) => spawnSync("unshare", [...options, ...command]).status === 0,
  );

/** Returns whether this process runs as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
