import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildOnce, cacheDir } from "../command/cache.ts";
import { logProgress, PlainError, withProgress } from "../command/progress.ts";
import { findProgram, run } from "../command/run.ts";
import { hasApt, libraryPath, unpackPackages } from "./apt.ts";

type Wanted = {
  name: string;
  program: string;
  /** Argument with which the program ends at once, to try a fetched one (default: `--version`). */
  trial?: string;
  debianPackage: string;
  /** What to do if it cannot be fetched (default: install the Debian package). */
  advice?: string;
};
/** How to run a program that was found or fetched. */
export type Program = { command: string; env: NodeJS.ProcessEnv };

/** Finds a program on PATH, or unpacks its Debian package into the cache folder without installing it. */
export async function findOrFetch({
  name,
  program,
  trial = "--version",
  debianPackage,
  advice = `install ${debianPackage}`,
}: Wanted): Promise<Program> {
  const found = findProgram(program);
  if (found) {
    logProgress(`${name}: ${found}`);
    return { command: found, env: process.env };
  }
  if (!hasApt()) throw new PlainError(`${name} is missing and cannot be fetched on this system: ${advice}.`);
  const prefix = join(cacheDir(), `debian-${debianPackage}`);
  await buildOnce(prefix, async (aside) => {
    const fetching = `${name}: fetching the Debian package ${debianPackage}`;
    await withProgress(fetching, () => unpackPackages(aside, [debianPackage])).catch((error: Error) => {
      throw new PlainError(`${name} is missing and could not be fetched: ${advice}.\n${error.message}`);
    });
    const { command, env } = await unpackedProgram(aside, program);
    await run(command, [trial], { env });
  });
  logProgress(`${name}: Debian package, unpacked into ${prefix}`);
  return unpackedProgram(prefix, program);
}

async function unpackedProgram(prefix: string, program: string): Promise<Program> {
  const files = ["usr/sbin", "usr/bin"].map((dir) => join(prefix, dir, program));
  const command = files.find(existsSync);
  if (!command) throw new PlainError(`The Debian package in ${prefix} does not contain ${program}`);
  return { command, env: { ...process.env, LD_LIBRARY_PATH: await libraryPath(prefix) } };
}
