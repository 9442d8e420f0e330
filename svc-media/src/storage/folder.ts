import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { HttpError } from "@messageoh/service-kit/errors";
import { FileStore } from "@tus/file-store";
import type { Upload } from "@tus/server";
import { failStorage, PICTURE_SUFFIXES, type Storage, storageFailed } from "./storage.ts";

/** Uploads in a folder. */
class FolderUploads extends FileStore {
  /** Leaves nothing if it fails, for example on a full disk: nobody would know of it. */
  override create(upload: Upload): Promise<Upload> {
    return super.create(upload).catch(async (error) => {
      await this.remove(upload.id).catch(() => {});
      throw error;
    });
  }

  /** The library's own method hides why it failed, so a full disk would look like any other failure. */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const target = createWriteStream(join(this.directory, id), { flags: "r+", start: offset });
    await pipeline(readable, target).catch((cause) => {
      if (cause.code === "ENOSPC" || cause.code === "EDQUOT") throw new HttpError(507, NO_SPACE, { cause });
      throw typeof cause.code === "string" && cause.code.startsWith("E") ? storageFailed(cause) : cause;
    });
    return offset + target.bytesWritten;
  }
}
const NO_SPACE = "The server has no space for this file. Please try again later";

/** Creates the storage in a folder, which the gateway reads. The instances of a host share it. */
export function createFolderStorage(directory: string): Storage {
  const pathOf = (key: string) => join(directory, key);
  const remove = (names: string[]) => Promise.all(names.map((name) => rm(pathOf(name), { force: true })));

  async function prepare(): Promise<void> {
    // The gateway may run as another user.
    await mkdir(directory, { recursive: true, mode: 0o755 });
    const path = join(directory, `.check-${randomBytes(6).toString("hex")}`);
    await writeFile(path, "check", { flush: true }).finally(() => rm(path, { force: true }));
  }

  return {
    uploads: new FolderUploads({ directory }),
    partsMax: Number.POSITIVE_INFINITY,
    prepare,
    check: prepare,

    async read(key, maxBytes) {
      const file = await open(pathOf(key)).catch(failStorage);
      return file.createReadStream(maxBytes === undefined ? {} : { end: maxBytes - 1 });
    },

    withFile: (key, use) => use(pathOf(key)),

    async put(key, bytes) {
      const path = pathOf(key);
      const aside = `${path}.${randomBytes(6).toString("hex")}`;
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(aside, bytes, { flush: true });
        await rename(aside, path);
      } catch (cause) {
        await rm(aside, { force: true }).catch(() => {});
        throw storageFailed(cause);
      }
    },

    async copy(from, to) {
      // Both names stand for the same bytes, which go with the last name.
      await mkdir(dirname(pathOf(to)), { recursive: true }).catch(failStorage);
      await link(pathOf(from), pathOf(to)).catch((cause) => {
        if (cause.code !== "EEXIST") throw storageFailed(cause);
      });
    },

    async removeUpload(key) {
      await remove([key, `${key}.json`]);
    },

    async removeAll(key) {
      await remove([key, `${key}.json`, ...PICTURE_SUFFIXES.map((suffix) => key + suffix)]);
    },

    locate: async (key) => `/-/media/${key}`,
  };
}
