import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "../command/cache.ts";
import { logProgress, PlainError } from "../command/progress.ts";
import { run } from "../command/run.ts";
import { distDir, FRONTENDS, type Frontend, SHARED_INPUTS } from "./frontends.ts";
import { filesOf, hashFiles } from "./hash.ts";

const NO_INPUT = /(?:\.test\.tsx?|\.md|\/smoke\.ts)$/;
const WEBPACK = "packages/stack/src/frontends/cli.ts";

/**
 * Builds each front end whose inputs changed since its last complete build, then runs `use` under the same lock, so
 * that no other build of this checkout replaces the results.
 */
export async function buildFrontends<Result>(
  root: string,
  use: () => Promise<Result>,
  frontends: readonly Frontend[] = FRONTENDS,
): Promise<Result> {
  return withLock(join(root, "node_modules", ".cache"), "frontends", async () => {
    const shared = (await Promise.all(SHARED_INPUTS.map((path) => filesOf(join(root, path))))).flat();
    const stale: { frontend: Frontend; inputs: string }[] = [];
    for (const frontend of frontends) {
      const own = (await filesOf(join(root, frontend.name))).filter((file) => !NO_INPUT.test(file));
      const inputs = await hashFiles(root, [...own, ...shared]);
      if (inputs !== (await lastInputs(root, frontend))) stale.push({ frontend, inputs });
    }
    if (stale.length > 0) logProgress(`building ${stale.map(({ frontend }) => frontend.name).join(", ")} ...`);
    await Promise.all(stale.map(({ frontend, inputs }) => build(root, frontend, inputs)));
    if (stale.length > 0) logProgress("front ends built");
    return use();
  });
}

async function build(root: string, frontend: Frontend, inputs: string): Promise<void> {
  // The stamp is removed first and written last, so an interrupted build does not count as complete.
  await rm(stampFile(root, frontend), { force: true });
  await rm(distDir(root, frontend), { recursive: true, force: true });
  const env = { ...process.env, NODE_ENV: "production" };
  const options = { cwd: join(root, frontend.name), env };
  await run(process.execPath, [join(root, WEBPACK), "build", "--mode", "production"], options).catch((error: Error) => {
    throw new PlainError(`building ${frontend.name} failed.\n${error.message}`);
  });
  await writeFile(stampFile(root, frontend), inputs);
}

async function lastInputs(root: string, frontend: Frontend): Promise<string | undefined> {
  if (!existsSync(distDir(root, frontend))) return undefined;
  return readFile(stampFile(root, frontend), "utf8").catch(() => undefined);
}

function stampFile(root: string, { name }: Frontend): string {
  return join(root, "node_modules", ".cache", `${name}.inputs`);
}
