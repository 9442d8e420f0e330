import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@messageoh/stack/command/command";
import { copyTree } from "./copyTree.ts";
import { findPlaces, readSources } from "./sources.ts";

/** A copy of the working tree in the folder of a command, to run programs on patched code. */
export class BrokenCopy {
  readonly dir: string;
  readonly #sources: ReadonlyMap<string, string>;
  #child: ChildProcess | undefined;

  constructor(root: string, { dir, atEnd }: Command) {
    this.dir = dir;
    this.#sources = readSources(root);
    copyTree(root, dir);
    atEnd(() => this.#stop());
  }

  /** Replaces the only occurrence of a text in the product while `work` runs. */
  async patched<T>({ find, replace }: { find: string; replace: string }, work: () => Promise<T>): Promise<T> {
    const [file, ...others] = findPlaces(this.#sources, find);
    if (file === undefined || others.length > 0) throw new Error(`The patch of "${find}" must match exactly once`);
    const source = this.#sources.get(file) ?? "";
    writeFileSync(
      join(this.dir, file),
      source.replace(find, () => replace),
    );
    try {
      return await work();
    } finally {
      writeFileSync(join(this.dir, file), source);
    }
  }

  /** Runs a program in the copy and resolves with its output. The end of the command ends it. */
  async run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
    const child = spawn(command, args, { cwd: this.dir, env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
    await once(child, "close");
    this.#child = undefined;
    return output;
  }

  /** Returns the content of a JSON file that a program of the copy wrote, or `undefined`. */
  readJson<T>(file: string): T | undefined {
    try {
      return JSON.parse(readFileSync(join(this.dir, file), "utf8")) as T;
    } catch {
      return undefined;
    }
  }

  async #stop(): Promise<void> {
    if (!this.#child) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "close");
  }
}
