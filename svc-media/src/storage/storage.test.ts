import { readFile } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { Upload } from "@tus/server";
import { describeBackends } from "../../testing/backends.ts";
import { photo } from "../../testing/pictures.ts";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { callUpload, createUpload, settledState, uploadReady } from "../../testing/tus.ts";
import { isNotStored, storageKey } from "./storage.ts";

const users = new FakeUsers([threadBetween("ann", "bob")]);
const bytesOf = (size: number) =>
  Buffer.from(Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8)) % 251));

describeBackends("a file", (backend) => {
  let service: TestService;
  beforeAll(async () => {
    service = await serveMedia(users, { storage: backend.storage });
  });
  afterAll(() => service.close());
  const ann = () => ({ url: service.url, user: "ann" });
  const load = async (id: string, variant: string) => {
    const headers = { cookie: "messageoh_session=TOKEN-ann" };
    const response = await fetch(`${service.url}/media/${id}/${variant}`, { headers });
    return backend.serve(response.headers.get("x-accel-redirect") ?? `no location: ${response.status}`);
  };

  it("is copied, and the copy stays when the original is deleted", async () => {
    const { id } = await uploadReady(ann(), Buffer.from("hello"));
    const [from, to] = [storageKey(id), storageKey(`ff${id}`)];
    await backend.storage.copy(from, to);
    await backend.storage.copy(from, to);
    await backend.storage.removeAll(from);
    await expect(backend.storage.read(from).then(buffer)).rejects.toThrow();
    expect((await buffer(await backend.storage.read(to))).toString()).toBe("hello");
    await backend.storage.removeAll(to);
    const error = await backend.storage.copy(from, to).catch((failure: unknown) => failure);
    expect(isNotStored(error)).toBe(true);
  });

  it("arrives in parts, of which one is interrupted, and is served byte for byte", async () => {
    const file = bytesOf(2 * UPLOAD_PART_BYTES + 12_345);
    const created = await createUpload(ann(), file.length);
    const location = created.headers.get("location") ?? "";
    const first = await callUpload(ann(), "PATCH", location, { offset: 0, body: file.subarray(0, UPLOAD_PART_BYTES) });
    expect(first.status).toBe(204);
    const stop = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(file.subarray(UPLOAD_PART_BYTES, UPLOAD_PART_BYTES + 100_000)),
      pull: () => new Promise((resolve) => setTimeout(resolve, 200)).then(() => stop.abort()),
    });
    const url = service.url + location.replace("/messageoh", "");
    const headers = {
      "tus-resumable": "1.0.0",
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(UPLOAD_PART_BYTES),
      cookie: "messageoh_session=TOKEN-ann",
    };
    const request = { method: "PATCH", headers, body, duplex: "half", signal: stop.signal } as RequestInit;
    await expect(fetch(url, request)).rejects.toThrow();

    const head = await callUpload(ann(), "HEAD", location);
    const offset = Number(head.headers.get("upload-offset"));
    expect([head.status, head.headers.get("upload-length")]).toEqual([200, String(file.length)]);
    expect(offset).toBeGreaterThanOrEqual(UPLOAD_PART_BYTES);
    const middle = 2 * UPLOAD_PART_BYTES;
    const second = await callUpload(ann(), "PATCH", location, { offset, body: file.subarray(offset, middle) });
    expect([second.status, second.headers.get("upload-offset")]).toEqual([204, String(middle)]);
    const third = await callUpload(ann(), "PATCH", location, { offset: middle, body: file.subarray(middle) });
    expect(third.status).toBe(204);

    const id = location.split("/").at(-1) ?? "";
    expect(await settledState(ann(), id)).toMatchObject({
      state: "ready",
      attachment: { kind: "file", bytes: file.length },
    });
    expect((await load(id, "file")).equals(file)).toBe(true);
  });

  it("is stored while a hundred parts of others stall", async () => {
    const { uploads } = backend.storage;
    const begin = (id: string) => uploads.create(new Upload({ id, size: 10, offset: 0 }));
    const ids = Array.from({ length: 100 }, (_, index) => `slow/${index}`);
    const stalled = ids.map(() => new PassThrough());
    for (const id of ids) await begin(id);
    const writing = ids.map(async (id, index) => uploads.write(stalled[index] as PassThrough, id, 0));
    for (const part of stalled) part.write("hello");
    await begin("slow/own");
    const own = uploads.write(Readable.from([Buffer.from("0123456789")]), "slow/own", 0);
    const result = await Promise.race([own, new Promise((resolve) => setTimeout(resolve, 20_000, "waits").unref())]);
    for (const part of stalled) part.end();
    await Promise.all([own, ...writing]);
    for (const id of [...ids, "slow/own"]) await backend.storage.removeAll(id);
    expect(result).toBe(10);
  });

  it("becomes pictures, and the original is deleted", async () => {
    const original = await photo();
    const { id, bytes } = await uploadReady(ann(), original, "photo.jpg");
    expect((await load(id, "view")).length).toBe(bytes);
    expect((await load(id, "thumb")).subarray(8, 12).toString()).toBe("WEBP");
    await expect(backend.storage.read(storageKey(id)).then(buffer)).rejects.toMatchObject({ status: 503 });
    const head = await callUpload(ann(), "HEAD", `/messageoh/media/uploads/${id}`);
    expect([head.status, head.headers.get("upload-offset")]).toEqual([200, String(original.length)]);
  });

  it("is deleted with everything that was made from it", async () => {
    const picture = await uploadReady(ann(), await photo(), "photo.jpg");
    const file = await uploadReady(ann(), bytesOf(1_000));
    const unfinished = await createUpload(ann(), 2 * UPLOAD_PART_BYTES);
    const location = unfinished.headers.get("location") ?? "";
    await callUpload(ann(), "PATCH", location, { offset: 0, body: bytesOf(UPLOAD_PART_BYTES) });
    const ids = [picture.id, file.id, location.split("/").at(-1) ?? ""];
    expect(await backend.listParts(storageKey(ids[2] as string))).not.toEqual([]);
    for (const id of ids) {
      const response = await callUpload(ann(), "DELETE", `/messageoh/media/uploads/${id}`);
      expect(response.status).toBe(204);
      for (const suffix of ["", ".view", ".thumb"])
        await expect(backend.storage.read(storageKey(id) + suffix).then(buffer)).rejects.toMatchObject({ status: 503 });
      expect(await backend.listParts(storageKey(id))).toEqual([]);
      await backend.storage.removeAll(storageKey(id));
      expect((await callUpload(ann(), "HEAD", `/messageoh/media/uploads/${id}`)).status).toBe(404);
    }
    expect(await service.media.countDocuments({ _id: { $in: ids } })).toBe(0);
  });

  it("can be read in part and as a local file", async () => {
    await backend.storage.put("ab/abc", Buffer.from("hello world"), "text/plain");
    expect(String(await buffer(await backend.storage.read("ab/abc", 5)))).toBe("hello");
    expect(await backend.storage.withFile("ab/abc", (path) => readFile(path, "utf8"))).toBe("hello world");
    await backend.storage.removeAll("ab/abc");
    await expect(backend.storage.withFile("ab/abc", (path) => readFile(path))).rejects.toThrow();
  });
});
