import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folderOf = (dataDir: string): string => join(dataDir, "secrets");

/** Writes a secret into `DATA_DIR/secrets`, which only its owner can enter, and returns the path of its file. */
export function writeSecret(dataDir: string, name: string, value: string): string {
  mkdirSync(folderOf(dataDir), { recursive: true, mode: 0o700 });
  const file = join(folderOf(dataDir), name);
  writeFileSync(file, `${value}\n`, { mode: 0o600 });
  return file;
}

/** Returns the random key in `DATA_DIR/secrets`, with the path of its file; creates one if there is none. */
export function keepKey(dataDir: string, name: string): { key: string; file: string } {
  const file = join(folderOf(dataDir), name);
  try {
    return { key: readFileSync(file, "utf8").trim(), file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const key = randomBytes(32).toString("hex");
    return { key, file: writeSecret(dataDir, name, key) };
  }
}
