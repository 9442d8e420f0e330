import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { PlainError } from "./progress.ts";

type RunOptions = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };
/** `label` stands before each line, for commands that run at the same time. */
export type RunShownOptions = { cwd?: string; env?: NodeJS.ProcessEnv; label?: string | undefined };

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill();
});

/** Runs a command and returns its output. Throws an error with the last lines if the command fails. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { input, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...rest, stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0) return resolve(output);
      const tail = `${output}\n${errors}`.trim().split("\n").slice(-15).join("\n");
      reject(new PlainError(`${command} ${args[0] ?? ""} ended with ${signal ?? `exit code ${code}`}:\n${tail}`));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
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

/** Returns whether this process runs as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
