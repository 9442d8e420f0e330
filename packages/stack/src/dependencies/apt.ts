import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "../command/cache.ts";
import { PlainError, withProgress } from "../command/progress.ts";
import { findProgram, run } from "../command/run.ts";

/** The other Debian release, from which programs are fetched. */
const OTHER_RELEASE = "forky";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** Returns whether this system has the programs that this file needs. */
export function hasApt(): boolean {
  return findProgram("apt-get") !== undefined && findProgram("dpkg-deb") !== undefined;
}

/**
 * Returns the cached folder of programs from another Debian release, without their dependencies. Downloads them once,
 * which requires Debian's keys.
 */
export function downloadPrograms(folder: string, title: string, packages: string[]): Promise<string> {
  return buildOnce(join(cacheDir(), folder), (aside) => {
    if (!hasApt() || !existsSync(KEYRING))
      throw new PlainError(`${title} is missing and cannot be fetched on this system: install it.`);
    const download = () => unpackRelease(aside, packages, "download");
    return withProgress(`${title}: fetching Debian packages`, download);
  });
}

/**
 * Fetches packages of the machine's own release, and the dependencies that are not installed, and unpacks them into
 * `prefix`. It installs nothing and starts no service, so it does not need root.
 */
export async function unpackPackages(prefix: string, packages: string[]): Promise<void> {
  const root = await aptRoot(prefix);
  await copyFile("/var/lib/dpkg/status", join(root, "status"));
  await fetchAndUnpack(root, [], prefix, packages);
}

/**
 * Fetches and unpacks packages of another Debian release.
 * @param how `install` adds all dependencies, the C library included, so that the programs run on an older
 *   machine; `download` adds none, for programs that need only a C library
 */
export async function unpackRelease(
  prefix: string,
  packages: string[],
  how: "download" | "install" = "install",
): Promise<void> {
  const root = await aptRoot(prefix);
  await fetchAndUnpack(root, await releaseSources(root), prefix, packages, how);
}

async function aptRoot(prefix: string): Promise<string> {
  const root = join(prefix, ".apt");
  await mkdir(join(root, "lists", "partial"), { recursive: true });
  await mkdir(join(root, "cache", "archives", "partial"), { recursive: true });
  return root;
}

/** Makes apt use one other release and ignore installed packages. */
async function releaseSources(root: string): Promise<string[]> {
  await writeFile(join(root, "status"), "");
  const source = `deb [signed-by=${KEYRING}] ${await debianMirror()} ${OTHER_RELEASE} main\n`;
  await writeFile(join(root, "sources.list"), source);
  return ["-o", `Dir::Etc::sourcelist=${root}/sources.list`, "-o", "Dir::Etc::sourceparts=-"];
}

async function debianMirror(): Promise<string> {
  const targets = await run("apt-get", ["indextargets", "--format", "$(REPO_URI) $(LABEL)"]);
  const line = targets.split("\n").find((text) => text.endsWith(" Debian"));
  const mirror = line?.split(" ")[0];
  if (!mirror) throw new PlainError("apt names no Debian mirror on this machine");
  return mirror;
}

async function fetchAndUnpack(
  root: string,
  sources: string[],
  prefix: string,
  packages: string[],
  how: "download" | "install" = "install",
): Promise<void> {
  const options = [
    ...["-qq", "-o", `Dir::State=${root}`, "-o", `Dir::State::lists=${root}/lists`],
    ...["-o", `Dir::State::status=${root}/status`, "-o", `Dir::Cache=${root}/cache`],
    ...["-o", "Acquire::Check-Valid-Until=false", "-o", "Acquire::Languages=none", "-o", "Acquire::Retries=3"],
    // Overrides the machine's settings: apt must verify the signature of the repository.
    ...["-o", "Acquire::AllowInsecureRepositories=false", "-o", "APT::Get::AllowUnauthenticated=false"],
    ...["-o", "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false", "-o", "APT::Sandbox::User=root"],
    ...sources,
  ];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  await run("apt-get", [...options, "update"], { env });
  const archives = join(root, "cache", "archives");
  const withDependencies = ["install", "-y", "--download-only", "--no-install-recommends"];
  const command = how === "download" ? ["download"] : withDependencies;
  await run("apt-get", [...options, ...command, ...packages], { env, cwd: archives });
  const files = (await readdir(archives)).filter((name) => name.endsWith(".deb")).map((name) => join(archives, name));
  const unpackNext = async (): Promise<void> => {
    for (let file = files.pop(); file; file = files.pop()) await run("dpkg-deb", ["-x", file, prefix]);
  };
  await Promise.all([unpackNext(), unpackNext()]);
  await rm(root, { recursive: true });
}

/** Returns the folders of shared libraries inside a prefix of `unpackPackages`, for LD_LIBRARY_PATH. */
export async function libraryPath(prefix: string): Promise<string> {
  const dirs: string[] = [];
  for (const lib of ["usr/lib", "lib"]) {
    const names = await readdir(join(prefix, lib)).catch(() => []);
    dirs.push(...names.filter((name) => name.endsWith("-linux-gnu")).map((name) => join(prefix, lib, name)));
  }
  return dirs.join(":");
}
