import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { distDir, FRONTENDS, type Frontend } from "./frontends.ts";
import { filesOf, hashFiles } from "./hash.ts";

const COMPRESSED = /\.(?:js|css|json|svg|map)$/;
const SMALLEST_COMPRESSED_BYTES = 512;
const compress = promisify(gzip);

/** Puts the built front ends into the gateway's static folder. */
export async function publishFrontends(
  root: string,
  www: string,
  frontends: readonly Frontend[] = FRONTENDS,
): Promise<void> {
  for (const frontend of frontends) {
    const dist = distDir(root, frontend);
    if (frontend.remote) await publishRemote(dist, join(www, frontend.name), frontend.name, frontend.remote);
    else await publishShell(dist, join(www, frontend.name));
  }
}

/**
 * A release is a folder named by its content, never overwritten, and a pointer that is switched to it in one step.
 * Pages that are open keep loading from their own release; switching the pointer back is the rollback.
 */
async function publishRemote(dist: string, dir: string, name: string, remote: string): Promise<void> {
  const release = (await hashFiles(dist, await filesOf(dist))).slice(0, 12);
  const target = join(dir, release);
  if (!existsSync(target)) {
    const aside = `${target}.partial`;
    await rm(aside, { recursive: true, force: true });
    await cp(dist, aside, { recursive: true });
    for (const file of await filesOf(aside)) await compressBeside(file);
    await rename(aside, target);
  }
  const manifest = JSON.parse(await readFile(join(target, "mf-manifest.json"), "utf8"));
  const pointer = { name: remote, release, entry: `/${name}/${release}/mf-manifest.json`, manifest };
  // The gateway puts it into a script element, which no text of it may end.
  await replace(join(dir, "current.json"), `${JSON.stringify(pointer).replaceAll("<", "\\u003c")}\n`);
}

/** The shell's hashed files of former builds stay for pages that are open; its page comes last. */
export async function publishShell(dist: string, dir: string): Promise<void> {
  for (const file of await filesOf(dist)) {
    const path = relative(dist, file);
    const target = join(dir, path);
    if (path === "index.html" || (path.startsWith("assets/") && existsSync(target))) continue;
    await replace(target, await readFile(file));
    // Only hashed names: a compressed copy beside a file that changes in place could be older than it.
    if (path.startsWith("assets/")) await compressBeside(target);
  }
  await replace(join(dir, "index.html"), await readFile(join(dist, "index.html")));
}

async function compressBeside(file: string): Promise<void> {
  const content = await readFile(file);
  if (!COMPRESSED.test(file) || content.length < SMALLEST_COMPRESSED_BYTES) return;
  await replace(`${file}.gz`, await compress(content, { level: 9 }));
}

async function replace(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, content);
  await rename(`${file}.tmp`, file);
}
