import childProcess, { type ForkOptions } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noise, photo } from "../../testing/pictures.ts";
import { createPictureMaker, NoPictureProcess } from "./pictures.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "pictures-"));
  await writeFile(join(dir, "small.jpg"), await photo());
  await writeFile(join(dir, "large.png"), await noise(4_000, 3_000).png({ compressionLevel: 1 }).toBuffer());
});
afterAll(() => rm(dir, { recursive: true }));

it.each([
  ["takes too long", { jobMaxMs: 500 }, "longer than 500 ms"],
  ["takes too much CPU time", { cpuMaxMs: 300 }, "ended with SIGKILL"],
])("kills a job that %s, and the next one gets a new process", async (_, limits, reason) => {
  const maker = createPictureMaker(limits);
  // The first job also starts the process.
  await maker.make(join(dir, "small.jpg")).catch(() => {});
  await expect(maker.make(join(dir, "large.png"))).rejects.toThrow(reason);
  expect(maker.pid()).toBeUndefined();
  // Whether the picture is made within these limits depends on how busy the machine is.
  const next = maker.make(join(dir, "small.jpg")).catch(() => {});
  expect(maker.pid()).toEqual(expect.any(Number));
  await next;
  maker.close();
  const patient = createPictureMaker();
  expect((await patient.make(join(dir, "small.jpg"))).width).toBe(40);
  patient.close();
});

it("starts another process after one that could not be started", async () => {
  const maker = createPictureMaker();
  const { fork } = childProcess;
  const withoutNode: typeof fork = (path, options) => fork(path, { ...(options as ForkOptions), execPath: "/missing" });
  jest.spyOn(childProcess, "fork").mockImplementationOnce(withoutNode);
  await expect(maker.make(join(dir, "small.jpg"))).rejects.toThrow(NoPictureProcess);
  expect((await maker.make(join(dir, "small.jpg"))).width).toBe(40);
  maker.close();
});

it("rejects what is no picture", async () => {
  const maker = createPictureMaker();
  await writeFile(join(dir, "text.jpg"), "hello");
  await expect(maker.make(join(dir, "text.jpg"))).rejects.toThrow(/unsupported image format/);
  await expect(maker.make(join(dir, "missing.jpg"))).rejects.toThrow(/missing/);
  maker.close();
});
