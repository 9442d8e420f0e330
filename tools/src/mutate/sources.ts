import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PRODUCT = /^(shell|mfe-\w+|svc-\w+|packages\/[\w-]+)\/.*\.(ts|tsx|css)$/;
const TEST = /\.test\.tsx?$|\/testing\/|\/testing\.ts$/;

/** Returns the files of the working tree that git tracks or would track. */
export function listFiles(root: string): string[] {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, maxBuffer: 1e8 });
  return listed
    .toString()
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));
}

/** Returns the product's code by file, without tests. */
export function readSources(root: string): Map<string, string> {
  const files = listFiles(root).filter((file) => PRODUCT.test(file) && !TEST.test(file));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

/** Returns the file of each occurrence of a text. */
export function findPlaces(sources: ReadonlyMap<string, string>, text: string): string[] {
  return [...sources].flatMap(([file, source]) => Array<string>(source.split(text).length - 1).fill(file));
}
