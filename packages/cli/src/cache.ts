import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { say } from "@messageoh/cli/say";
import { lock } from "proper-lockfile";

/** Returns the folder of fetched programs, which survives the checkout and is shared by all checkouts. */
export function cacheDir(): string {
  return resolve(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "messageoh");
}

/** Runs `work` while no other process holds the lock of this name in this folder. */
export async function withLock<T>(dir: string, name: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dir, { recursive: true });
  const take = (retries: number) =>
    // Named by what it guards, not by the folder: within a process the library tells locks apart by this path.
    lock(join(dir, name), {
      realpath: false,
      stale: 15_000,
      update: 3_000,
      retries: { retries, minTimeout: 250, maxTimeout: 1_000 },
    });
  const release = await take(0).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ELOCKED") throw error;
    say(`waiting for another command that is busy with ${name} ...`);
    return take(1_200);
  });
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * The folder `dir`, made by `build` in a folder aside and then renamed, so that a half-done one is never taken for a
 * whole one.
 */
export async function buildOnce(dir: string, build: (aside: string) => Promise<void>): Promise<string> {
  if (existsSync(dir)) return dir;
  return withLock(dirname(dir), basename(dir), async () => {
    if (existsSync(dir)) return dir;
    const prefix = `${basename(dir)}.partial-`;
    for (const name of await readdir(dirname(dir))) {
      if (name.startsWith(prefix)) await rm(join(dirname(dir), name), { recursive: true, force: true });
    }
    const aside = join(dirname(dir), `${prefix}${process.pid}`);
    await mkdir(aside, { recursive: true });
    try {
      await build(aside);
      await rename(aside, dir);
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      throw error;
    }
    return dir;
  });
}
