import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Returns the root folder of the repository. It searches upwards from the working folder, then from the running script;
 * `import.meta` is not available, because jest loads this file as CommonJS.
 */
export function repoRoot(): string {
  for (const start of [process.cwd(), dirname(resolve(process.argv[1] ?? "."))]) {
    for (let dir = start; ; dir = dirname(dir)) {
      if (isRoot(dir)) return dir;
      if (dirname(dir) === dir) break;
    }
  }
  throw new Error("The root of the repository was not found: run this command inside the repository");
}

function isRoot(dir: string): boolean {
  const file = join(dir, "package.json");
  if (!existsSync(file)) return false;
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { name?: string };
  return manifest.name === "messageoh";
}
