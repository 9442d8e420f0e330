import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Config } from "../config.ts";
import { createFolderStorage } from "./folder.ts";
import type { Storage } from "./storage.ts";

const RETRY_MS = 1_000;
/** Attempts before the first log line; servers that start together are ready earlier. */
const LOGGED_AT = 3;

/** Returns the storage that the settings name. Throws with a text for the operator if they name none. */
export async function createStorage(config: Config): Promise<Storage> {
  const { MEDIA_DIR, S3_URL: url, S3_BUCKET: bucket, S3_REGION: region, S3_ACCESS_KEY, S3_SECRET_KEY } = config;
  if (url === undefined) {
    if (MEDIA_DIR === undefined) throw new Error("Set MEDIA_DIR to a folder, or S3_URL to an S3 server");
    return createFolderStorage(MEDIA_DIR);
  }
  if (S3_ACCESS_KEY === undefined || S3_SECRET_KEY === undefined)
    throw new Error("Setting S3_URL needs S3_ACCESS_KEY and S3_SECRET_KEY");
  await useOwnTemporaryFolder(`messageoh-media-${config.PORT}`);
  // The client of S3 needs 40 MB of memory, so only a process with S3 loads it.
  const { createS3Storage } = await import("./s3.ts");
  return createS3Storage({ url, bucket, region, accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY });
}

/** Lets this process store the parts of uploads on their way to S3 in a folder that it empties when it starts. */
async function useOwnTemporaryFolder(name: string): Promise<void> {
  const folder = join(tmpdir(), name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  process.env.TMPDIR = folder;
}

/** Resolves when the storage can store files. Retries until then, and logs a reason that lasts. */
export async function waitForStorage(storage: Storage, logger: Logger): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storage.prepare();
    } catch (err) {
      if (attempt % 30 === LOGGED_AT) logger.error({ err }, "waiting for the file storage");
      await pause(RETRY_MS);
    }
  }
}
