import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderStorage } from "../src/storage/folder.ts";
import type { Storage } from "../src/storage/storage.ts";
import { BUILD_MAX_MS, hasS3Server, type S3Server, startS3Server } from "./s3Server.ts";

/** A backend of the storage, for tests that run against each. */
interface Backend {
  storage: Storage;
  /** Returns the bytes that the gateway serves for an internal location. */
  serve: (location: string) => Promise<Buffer>;
  /** Returns the parts of unfinished uploads whose keys begin with a text: files, or uploads in parts to S3. */
  listParts: (prefix: string) => Promise<string[]>;
}

/** Defines the same tests for each backend. Without an S3 server, those of S3 are reported as not run. */
export function describeBackends(title: string, define: (backend: Backend) => void): void {
  describe(`${title} in a folder`, () => {
    let dir: string;
    const backend = {} as Backend;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), "messageoh-folder-"));
      backend.storage = createFolderStorage(dir);
      backend.serve = (location) => readFile(location.replace("/-/media", dir));
      backend.listParts = async (prefix) =>
        (await readdir(dir, { recursive: true })).filter((name) => name.startsWith(prefix));
      await backend.storage.prepare();
    });
    afterAll(() => rm(dir, { recursive: true }));
    define(backend);
  });

  describe(`${title} in S3`, () => {
    if (!hasS3Server()) {
      test.todo("NOT RUN: neither versitygw nor Go is installed");
      return;
    }
    let server: S3Server;
    const backend = {} as Backend;
    beforeAll(async () => {
      server = await startS3Server();
      backend.storage = server.storage("files");
      backend.serve = async (location) => {
        const response = await fetch(server.url + location.replace("/-/s3", ""));
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
        return Buffer.from(await response.arrayBuffer());
      };
      backend.listParts = (prefix) => server.listUploads("files", prefix);
      await backend.storage.prepare();
    }, BUILD_MAX_MS);
    afterAll(() => server.close());
    define(backend);
  });
}
