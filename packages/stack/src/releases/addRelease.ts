import { existsSync } from "node:fs";
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { readRemoteContract, readShellContract } from "./contract.ts";
import { copyCompressed } from "./files.ts";
import { filesOf, hashFiles } from "./hash.ts";
import { RELEASE_FILE, type Release, type Store } from "./store.ts";

/**
 * Copies a built front end into a new, immutable release folder, without making it live. Returns the existing release
 * if one has the same content.
 */
export async function addRelease(
  store: Store,
  dist: string,
  nameOf: (content: string) => Promise<string>,
): Promise<Release> {
  const content = await hashFiles(dist, await filesOf(dist));
  const known = (await store.releases()).find((release) => release.content === content);
  if (known) return known;
  const contract = await (store.frontend.remote ? readRemoteContract(dist) : readShellContract(dist));
  const name = await nameOf(content);
  const release = existsSync(store.folder(name)) ? `${name}-${content.slice(0, 6)}` : name;
  const made: Release = { release, content, madeAt: new Date().toISOString(), contract };

  const aside = `${store.folder(release)}.partial`;
  await rm(aside, { recursive: true, force: true });
  await copyCompressed(dist, aside);
  await writeFile(join(aside, RELEASE_FILE), `${JSON.stringify(made, null, 2)}\n`);
  await rename(aside, store.folder(release));
  if (!store.frontend.remote) await poolAssets(store, release);
  return made;
}

/** Links the assets of a shell release into one folder for all releases, so that unchanged files stay cached. */
async function poolAssets(store: Store, release: string): Promise<void> {
  for (const file of await filesOf(join(store.folder(release), "assets"))) {
    const pooled = join(store.dir, relative(store.folder(release), file));
    await mkdir(dirname(pooled), { recursive: true });
    if (!existsSync(pooled)) await link(file, pooled);
  }
}
