import { cp, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { filesOf } from "./hash.ts";

const COMPRESSED = /\.(?:js|css|json|svg|map)$/;
const SMALLEST_COMPRESSED_BYTES = 512;
const compress = promisify(gzip);

/** A copy of a built front end, with compressed files beside those that gain by it. */
export async function layOut(dist: string, dir: string): Promise<void> {
  await cp(dist, dir, { recursive: true });
  for (const file of await filesOf(dir)) await compressBeside(file);
}

// The gateway prefers the compressed copy.
async function compressBeside(file: string): Promise<void> {
  const content = await readFile(file);
  if (!COMPRESSED.test(file) || content.length < SMALLEST_COMPRESSED_BYTES) return;
  await replace(`${file}.gz`, await compress(content, { level: 9 }));
}

/** Writes a file so that whoever reads it meets the old or the new content and never a part of one. */
export async function replace(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, content);
  await rename(`${file}.tmp`, file);
}
