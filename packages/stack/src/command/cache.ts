import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { lock } from "proper-lockfile";
import { logProgress } from "./progress.ts";

/** Returns the folder of downloaded programs, which all checkouts share. */
export function cacheDir(): string {
  return resolve(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "messageoh");
}

/** Runs `work` while no other process holds the lock of this name in this folder. */
export async function withLock<T>(dir: string, name: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dir, { recursive: true });
  const take = (retries: number) =>
    // A path per lock name: within a process the library identifies locks by path.
    lock(join(dir, name), {
      realpath: false,
      stale: 15_000,
      update: 3_000,
      retries: { retries, minTimeout: 250, maxTimeout: 1_000 },
    });
  const release = await take(0).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ELOCKED") throw error;
    logProgress(`waiting for another command that holds the lock of ${name} ...`);
    return take(1_200);
  });
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Returns `dir`. If it does not exist, `build` fills a temporary folder that is then renamed, so an interrupted build
 * leaves no incomplete `dir`.
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
