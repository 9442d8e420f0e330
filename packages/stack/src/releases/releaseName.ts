import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../command/run.ts";
import { type Frontend, SHARED_INPUTS } from "./frontends.ts";

const NO_INPUTS = [":!*.md", ":!*.test.ts", ":!*.test.tsx"];

/** Returns version and commit, as `1.0.0-4c9b9c8`. Uncommitted changes add `-dirty-` and a hash of the content. */
export async function releaseName(root: string, { name }: Frontend, content: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, name, "package.json"), "utf8")) as { version: string };
  const git = async (...args: string[]): Promise<string> => (await run("git", args, { cwd: root })).trim();
  // An image contains no repository, so its build passes the commit.
  if (process.env.RELEASE_COMMIT) return `${version}-${process.env.RELEASE_COMMIT.slice(0, 7)}`;
  try {
    const commit = await git("rev-parse", "--short=7", "HEAD");
    const changes = await git("status", "--porcelain", "--", name, ...SHARED_INPUTS, ...NO_INPUTS);
    return changes === "" ? `${version}-${commit}` : `${version}-${commit}-dirty-${content.slice(0, 6)}`;
  } catch {
    return `${version}-unversioned-${content.slice(0, 6)}`;
  }
}
