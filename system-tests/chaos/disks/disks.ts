import { spawn } from "node:child_process";
import { mkdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { findNamespace, run } from "@messageoh/stack/command/run";
import { memberDir } from "@messageoh/stack/dependencies/mongo";

/** Set in a process that may mount file systems, which nobody outside of it sees and which vanish with it. */
const MAY_MOUNT = "CHAOS_MAY_MOUNT";
const SIZE = "1500m";
/** Attempts to shrink a disk while MongoDB writes to it. */
const ATTEMPTS = 20;

/** Returns whether this process may mount file systems. */
export const mayMount = (): boolean => process.env[MAY_MOUNT] !== undefined;

/**
 * Runs this command again as a process that may mount file systems, and returns its exit code. Returns `undefined` if
 * the machine does not allow it.
 */
export async function runWithMounts(): Promise<number | undefined> {
  const namespace = findNamespace("mount", "-t", "tmpfs", "tmpfs", tmpdir());
  if (!namespace) return undefined;
  const command = [...namespace, process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn("unshare", command, { stdio: "inherit", env: { ...process.env, [MAY_MOUNT]: "1" } });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

/** Small disks of MongoDB members: file systems in memory. */
export class Disks {
  readonly #dirs = new Map<string, string>();

  /** Mounts a disk at the data folder of each member of a stack that is not started yet. */
  async mount(dataDir: string, members: readonly string[]): Promise<void> {
    for (const member of members) {
      const dir = memberDir(dataDir, member);
      await mkdir(dir, { recursive: true });
      await run("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", dir]);
      this.#dirs.set(member, dir);
    }
  }

  /** Unmounts the disks, so that the data folder can be removed. */
  async unmount(): Promise<void> {
    for (const dir of this.#dirs.values()) await run("umount", ["--lazy", dir]);
    this.#dirs.clear();
  }

  get members(): string[] {
    return [...this.#dirs.keys()];
  }

  /** Leaves no space on the disk of a member. */
  async fill(member: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { blocks, bfree, bsize } = await statfs(this.#dirOf(member));
      // MongoDB may write between the two calls, and a disk cannot be smaller than what is on it.
      const isFilled = await this.#resize(member, String((blocks - bfree) * bsize)).then(
        () => true,
        (error) => attempt === ATTEMPTS && Promise.reject(error),
      );
      if (isFilled) return;
    }
  }

  /** Gives the disk of a member its space back. */
  free(member: string): Promise<void> {
    return this.#resize(member, SIZE);
  }

  async #resize(member: string, size: string): Promise<void> {
    await run("mount", ["-o", `remount,size=${size}`, this.#dirOf(member)]);
  }

  #dirOf(member: string): string {
    return this.#dirs.get(member) as string;
  }
}
