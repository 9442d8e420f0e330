import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { findProgram } from "../run.ts";
import { PlainError } from "../say.ts";

/** The user that PostgreSQL runs as when a superuser starts it, which it refuses to run as: "nobody" everywhere. */
export const POSTGRES_UID = 65_534;

/** Whether this process runs as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A command that runs a program as an ordinary user, able to reach all of `paths`. */
export async function asOrdinaryUser(
  command: string,
  args: string[],
  paths: string[],
): Promise<{ command: string; args: string[] }> {
  if (!isRoot()) return { command, args };
  const setpriv = findProgram("setpriv");
  if (!setpriv)
    throw new PlainError("PostgreSQL does not run as root: install setpriv (util-linux) or be another user.");
  const options = [`--reuid=${POSTGRES_UID}`, `--regid=${POSTGRES_UID}`, "--clear-groups"];
  // Root's home is closed to others, and the cache or the checkout may lie in it. Without the secure bit access(2),
  // which PostgreSQL asks before it starts a program, would not see the capability.
  const reachable = await Promise.all(paths.map(isSearchable));
  if (reachable.includes(false)) {
    options.push("--securebits=+no_setuid_fixup");
    options.push("--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search");
  }
  return { command: setpriv, args: [...options, command, ...args] };
}

async function isSearchable(path: string): Promise<boolean> {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    if (((await stat(dir)).mode & 0o001) === 0) return false;
    if (dirname(dir) === dir) return true;
  }
}
