import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "coverage"]);

/** Returns the file, or all files in a folder, sorted; without hidden, built and installed files. */
export async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const nested = entries
    .filter(({ name }) => !name.startsWith(".") && !SKIPPED.has(name))
    .map(({ name }) => filesOf(join(path, name)));
  return (await Promise.all(nested)).flat().sort();
}

/** Returns one hash of the names and contents of files. */
export async function hashFiles(root: string, files: string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update("\0");
  return hash.digest("hex");
}
