import { cp, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { filesOf } from "./hash.ts";

const COMPRESSED = /\.(?:js|css|json|svg|map)$/;
const SMALLEST_COMPRESSED_BYTES = 512;
const gzipAsync = promisify(gzip);

/** Copies a built front end and adds compressed copies, which the gateway prefers. */
export async function copyCompressed(dist: string, dir: string): Promise<void> {
  await cp(dist, dir, { recursive: true });
  for (const file of await filesOf(dir)) await compress(file);
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (!COMPRESSED.test(file) || content.length < SMALLEST_COMPRESSED_BYTES) return;
  await replace(`${file}.gz`, await gzipAsync(content, { level: 9 }));
}

/** Replaces a file atomically. */
export async function replace(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, content);
  await rename(`${file}.tmp`, file);
}
