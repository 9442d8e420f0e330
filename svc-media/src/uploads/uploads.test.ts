import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ATTACHMENT_MAX_BYTES, UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { UPLOADS_PATH } from "@messageoh/contracts/media";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { until } from "@messageoh/service-kit/testing/until";
import { Upload } from "@tus/server";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { callUpload, createUpload, settledState, upload } from "../../testing/tus.ts";
import { nextCheck } from "../media/media.model.ts";
import { storageKey } from "../storage/storage.ts";
import { UNFINISHED_MAX } from "./newUpload.ts";

const users = new FakeUsers([
  threadBetween("ann", "bob"),
  threadBetween("bob", "cyd"),
  { ...threadBetween("ann", "gone"), is_closed: true },
]);
let service: TestService;
beforeAll(async () => {
  service = await serveMedia(users);
});
afterAll(() => service.close());

const ann = () => ({ url: service.url, user: "ann" });
const errorOf = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];
const idOf = (location: string) => location.split("/").at(-1) ?? "";
async function begin(size: number, uploader = ann()): Promise<string> {
  const created = await createUpload(uploader, size);
  expect(created.status).toBe(201);
  return created.headers.get("location") ?? "";
}

describe("a new upload", () => {
  it("leaves no file if the storage fails after it has created the file", async () => {
    const { uploads } = service.storage;
    const inTheWay = join(service.folder, "ab", "abc.json");
    await mkdir(inTheWay, { recursive: true });
    await expect(uploads.create(new Upload({ id: "ab/abc", size: 5, offset: 0 }))).rejects.toThrow("EISDIR");
    await rm(inTheWay, { recursive: true });
    expect(existsSync(join(service.folder, "ab", "abc"))).toBe(false);
  });

  it("gets a relative address with an id that cannot be guessed", async () => {
    expect(await begin(5)).toMatch(/^\/messageoh\/media\/uploads\/[0-9a-f]{32}$/);
  });

  it.each<
    [status: number, error: RegExp, size: string, metadata?: Record<string, string>, headers?: Record<string, string>]
  >([
    [400, /The file is empty/, "0"],
    [413, /at most 100 MB/, String(ATTACHMENT_MAX_BYTES + 1)],
    [400, /Upload-Length/, "-1"],
    [400, /Upload-Length/, "five"],
    [400, /Upload-Length/, "1e3"],
    [400, /Upload-Length/, "1.5"],
    [400, /Upload-Length/, "0x10"],
    [400, /Upload-Length/, "9".repeat(40)],
    [400, /Upload-Length/, "", {}, { "upload-length": "", "upload-defer-length": "1" }],
    [400, /name of the file is too long/, "5", { name: "n".repeat(1_001) }],
    [400, /name of the file is too long/, "5", { name: "n".repeat(9_000) }],
    [400, /thread_id/, "5", { thread_id: "" }],
    [400, /thread_id/, "5", { thread_id: "../x" }],
    [400, /thread_id/, "5", { thread_id: "x".repeat(500) }],
    [400, /Upload-Metadata is invalid/, "5", {}, { "upload-metadata": "name a,name b" }],
    [400, /Upload-Metadata is invalid/, "5", {}, { "upload-metadata": "" }],
    [400, /Upload-Metadata is invalid/, "5", {}, { "upload-metadata": "name !!!" }],
    [400, /Upload-Metadata is invalid/, "5", {}, { "upload-metadata": ",,," }],
    [400, /name: Invalid input/, "5", {}, { "upload-metadata": "thread_id" }],
    [400, /seconds: A length/, "5", { seconds: "-1" }],
    [400, /seconds: A length/, "5", { seconds: "long" }],
    [400, /seconds: A length/, "5", { seconds: "1e9" }],
    [400, /wave: A wave/, "5", { wave: "AAAA" }],
    [400, /wave: A wave/, "5", { wave: `${"A".repeat(87)}<` }],
    [400, /width: Must be at least 1/, "5", { width: "0" }],
    [400, /height: Must be a whole number/, "5", { height: "1.5" }],
    [400, /thumbhash: A ThumbHash/, "5", { thumbhash: "A".repeat(40) }],
    [403, /not yours/, "5", { thread_id: "bob-cyd" }],
    [403, /not yours/, "5", { thread_id: "nobody" }],
    [403, /account was deleted/, "5", { thread_id: "ann-gone" }],
    [412, /version of the upload protocol/, "5", {}, { "tus-resumable": "" }],
    [400, /request is invalid/, "5", {}, { "tus-resumable": "0.2.2" }],
    [400, /request is invalid/, "5", {}, { "tus-resumable": "9.9.9" }],
    [403, /other sites/, "5", {}, { origin: "http://evil.example" }],
    [401, /log in/, "5", {}, { cookie: "" }],
    [400, /carries no bytes/, "5", {}, { "content-type": "application/offset+octet-stream" }],
  ])("number %# is refused with %i and %s", async (...[status, error, size, metadata, headers]) => {
    const before = await service.media.countDocuments();
    const response = await createUpload(ann(), size, metadata, headers);
    const [actual, text] = await errorOf(response);
    expect([actual, text]).toEqual([status, expect.stringMatching(error)]);
    expect(await service.media.countDocuments()).toBe(before);
  });

  it("is refused while too many of the user's uploads are unfinished", async () => {
    const dora = { url: service.url, user: "dora" };
    users.threads.push(threadBetween("dora", "bob"));
    const create = () => createUpload(dora, 5, { thread_id: "dora-bob" });
    for (let count = 0; count < UNFINISHED_MAX; count += 1) expect((await create()).status).toBe(201);
    expect(await errorOf(await create())).toEqual([429, expect.stringMatching(/unfinished/)]);
  });

  it("is refused when the installation or the user's day is full, and others go on", async () => {
    const small = await serveMedia(users, { totalMaxBytes: 1_000, rates: { bytes: { count: 600, seconds: 86_400 } } });
    const own = { url: small.url, user: "ann" };
    expect((await createUpload(own, 500)).status).toBe(201);
    expect(await errorOf(await createUpload(own, 401))).toEqual([429, expect.stringMatching(/daily limit/)]);
    const bob = { url: small.url, user: "bob" };
    expect((await createUpload(bob, 300)).status).toBe(201);
    expect(await errorOf(await createUpload(bob, 250))).toEqual([507, expect.stringMatching(/no space/)]);
    await small.close();
  });

  it("takes no space and nothing of the user's day if it fails", async () => {
    const small = await serveMedia(users, { totalMaxBytes: 1_000, rates: { bytes: { count: 600, seconds: 86_400 } } });
    users.threads.push(threadBetween("eve", "bob"));
    const eve = { url: small.url, user: "eve" };
    const status = async () => (await createUpload(eve, 500, { thread_id: "eve-bob" })).status;
    const create = jest.spyOn(small.storage.uploads, "create").mockRejectedValue(new Error("no storage"));
    const failed = [await status(), await status(), await status()];
    create.mockRestore();
    const later = [await status(), await status()];
    await small.close();
    expect([failed, later]).toEqual([
      [503, 503, 503],
      [201, 429],
    ]);
  });
});

describe("an upload", () => {
  it("continues where it was after the service has ended", async () => {
    const location = await begin(10);
    await callUpload(ann(), "PATCH", location, { offset: 0, body: Buffer.from("hello") });
    const next = await serveMedia(users, { connection: service.connection, storage: service.storage });
    const later = { url: next.url, user: "ann" };
    expect((await callUpload(later, "HEAD", location)).headers.get("upload-offset")).toBe("5");
    expect((await callUpload(later, "PATCH", location, { offset: 5, body: Buffer.from("world") })).status).toBe(204);
    expect(await settledState(later, idOf(location))).toMatchObject({ state: "ready", attachment: { bytes: 10 } });
    await next.close();
  });

  it("accepts no part at another position, no part beyond its size, and none after its end", async () => {
    const location = await begin(10);
    const send = (offset: number, text: string) =>
      callUpload(ann(), "PATCH", location, { offset, body: Buffer.from(text) });
    expect(await errorOf(await send(3, "x"))).toEqual([409, expect.stringMatching(/position/)]);
    expect(await errorOf(await send(0, "x".repeat(11)))).toEqual([413, expect.stringMatching(/larger/)]);
    expect((await callUpload(ann(), "HEAD", location)).headers.get("upload-offset")).toBe("0");
    expect((await send(0, "0123456789")).status).toBe(204);
    expect(await errorOf(await send(10, "x"))).toEqual([409, expect.stringMatching(/complete/)]);
    expect((await callUpload(ann(), "HEAD", location)).headers.get("upload-offset")).toBe("10");
  });

  it.each<Record<string, string>>([
    ...["-1", "abc", "1e9", ""].map((offset) => ({ "upload-offset": offset })),
    { "upload-offset": "0", "content-type": "text/plain" },
  ])("accepts no part with the headers %j", async (headers) => {
    const location = await begin(10);
    const response = await callUpload(ann(), "PATCH", location, { headers, body: Buffer.from("0123456789") });
    expect(await errorOf(response)).toEqual([400, expect.any(String)]);
    expect((await callUpload(ann(), "HEAD", location)).headers.get("upload-offset")).toBe("0");
  });

  it.each(["none", "%2e%2e%2fusers", "x".repeat(300), "%ff"])("does not exist with the id %s", async (id) => {
    for (const method of ["HEAD", "PATCH", "DELETE"]) {
      const sent = method === "PATCH" ? { offset: 0, body: Buffer.from("hello") } : {};
      expect((await callUpload(ann(), method, `/messageoh${UPLOADS_PATH}/${id}`, sent)).status).toBe(404);
    }
  });

  it.each([
    ["GET", 404],
    ["PUT", 405],
    ["LINK", 405],
  ])("is needed for %s", async (method, status) => {
    const response = await callUpload(ann(), method, `/messageoh${UPLOADS_PATH}`);
    expect(await errorOf(response)).toEqual([status, expect.any(String)]);
  });

  it("takes parts at the same time one after the other, also by two instances", async () => {
    const other = await serveMedia(users, { connection: service.connection, storage: service.storage });
    const file = Buffer.alloc(UPLOAD_PART_BYTES, "abcdefg");
    const location = await begin(file.length);
    const send = (url: string) => callUpload({ url, user: "ann" }, "PATCH", location, { offset: 0, body: file });
    const responses = await Promise.all([send(service.url), send(other.url), send(service.url), send(other.url)]);
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(204);
    for (const status of statuses.slice(1)) expect([409, 423]).toContain(status);
    expect(await settledState(ann(), idOf(location))).toMatchObject({ attachment: { bytes: file.length } });
    expect(file.equals(await readFile(join(service.folder, storageKey(idOf(location)))))).toBe(true);
    await other.close();
  });

  it("does not wait for a part whose connection stalls", async () => {
    const location = await begin(10);
    let end = () => {};
    const stalled = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("hello"));
        end = () => controller.close();
      },
    });
    const first = callUpload(ann(), "PATCH", location, { offset: 0, body: stalled }).catch(() => undefined);
    let offset: string | null = null;
    while (offset !== "5") offset = (await callUpload(ann(), "HEAD", location)).headers.get("upload-offset");
    expect((await callUpload(ann(), "PATCH", location, { offset: 5, body: Buffer.from("world") })).status).toBe(204);
    end();
    await first;
  });

  it("finds a place for its part while another user has as many parts under way as one may", async () => {
    const storage = { ...service.storage, partsMax: 6 };
    const small = await serveMedia(users, { connection: service.connection, storage });
    const ends: (() => void)[] = [];
    const send = async (user: string, body: Uint8Array | ReadableStream) => {
      const location = await begin(10, { url: small.url, user });
      const status = callUpload({ url: small.url, user }, "PATCH", location, { offset: 0, body }).then((r) => r.status);
      const hasBytes = async () => (await stat(join(service.folder, storageKey(idOf(location))))).size > 0;
      return { status, hasBytes };
    };
    const stalled = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from("hello"));
          ends.push(() => controller.close());
        },
      });
    const slow = [];
    for (let count = 0; count < 3; count += 1) {
      const part = await send("ann", stalled());
      await until(part.hasBytes);
      slow.push(part.status);
    }
    const body = Buffer.from("0123456789");
    const statuses = [await (await send("ann", body)).status, await (await send("bob", body)).status];
    for (const end of ends) end();
    statuses.push(...(await Promise.all(slow)), await (await send("ann", body)).status);
    await small.close();
    expect(statuses).toEqual([429, 204, 204, 204, 204, 204]);
  });

  it("does not exist for another user", async () => {
    const location = await begin(5);
    const bob = { url: service.url, user: "bob" };
    for (const method of ["HEAD", "PATCH", "DELETE"]) {
      const sent = method === "PATCH" ? { offset: 0, body: Buffer.from("hello") } : {};
      expect((await callUpload(bob, method, location, sent)).status).toBe(404);
    }
    expect((await service.call(`/media/${idOf(location)}`, { cookie: "messageoh_session=TOKEN-bob" })).status).toBe(
      404,
    );
    expect((await callUpload(ann(), "HEAD", location)).status).toBe(200);
  });

  it("is the one of the path, whatever the query says", async () => {
    const [own, secret] = [await begin(5), await begin(9, { url: service.url, user: "bob" })];
    const address = `${own}?/${idOf(secret)}`;
    expect((await callUpload(ann(), "HEAD", address)).headers.get("upload-length")).toBe("5");
    expect((await callUpload(ann(), "PATCH", address, { offset: 0, body: Buffer.from("hello") })).status).toBe(204);
    expect(await settledState(ann(), idOf(own))).toMatchObject({ state: "ready", attachment: { bytes: 5 } });
    const bob = { url: service.url, user: "bob" };
    expect((await callUpload(bob, "HEAD", secret)).headers.get("upload-offset")).toBe("0");
  });

  it("is removed with its bytes when it is cancelled", async () => {
    const location = await begin(10);
    await callUpload(ann(), "PATCH", location, { offset: 0, body: Buffer.from("hello") });
    const path = join(service.folder, storageKey(idOf(location)));
    expect(existsSync(path)).toBe(true);
    expect((await callUpload(ann(), "DELETE", location)).status).toBe(204);
    expect(existsSync(path)).toBe(false);
    expect((await callUpload(ann(), "DELETE", location)).status).toBe(404);
    expect((await service.call(`/media/${idOf(location)}`, { cookie: "messageoh_session=TOKEN-ann" })).status).toBe(
      404,
    );
  });

  it("cannot be cancelled once a message contains it", async () => {
    const id = await upload(ann(), Buffer.from("hello"));
    await settledState(ann(), id);
    service.messages.attached.add(id);
    const location = `/messageoh/media/uploads/${id}`;
    expect(await errorOf(await callUpload(ann(), "DELETE", location))).toEqual([409, expect.stringMatching(/message/)]);
  });

  it("cannot be cancelled while a message with it is being stored, and can a minute later", async () => {
    const id = await upload(ann(), Buffer.from("hello"));
    await settledState(ann(), id);
    const location = `/messageoh/media/uploads/${id}`;
    const wasSent = (secondsAgo: number) =>
      service.media.updateOne(
        { _id: id },
        { $set: { is_sent: true, check_at: nextCheck(Date.now() - secondsAgo * 1_000) } },
      );
    await wasSent(1);
    expect(await errorOf(await callUpload(ann(), "DELETE", location))).toEqual([409, expect.stringMatching(/message/)]);
    await wasSent(61);
    expect((await callUpload(ann(), "DELETE", location)).status).toBe(204);
  });

  it("is processed although the service ended after the last byte", async () => {
    const id = await upload(ann(), Buffer.from("hello"));
    await settledState(ann(), id);
    await service.media.updateOne({ _id: id }, { $set: { state: "uploading" } });
    expect((await callUpload(ann(), "HEAD", `/messageoh/media/uploads/${id}`)).headers.get("upload-offset")).toBe("5");
    expect(await settledState(ann(), id)).toMatchObject({ state: "ready" });
  });

  it("is refused with 507 on a full disk, and can continue later", async () => {
    const location = await begin(5);
    const path = join(service.folder, storageKey(idOf(location)));
    await rm(path);
    await symlink("/dev/full", path);
    const send = () => callUpload(ann(), "PATCH", location, { offset: 0, body: Buffer.from("hello") });
    expect(await errorOf(await send())).toEqual([507, expect.stringMatching(/no space/)]);
    await rm(path);
    await symlink(join(service.folder, "elsewhere"), path);
    await writeFile(join(service.folder, "elsewhere"), "");
    expect((await send()).status).toBe(204);
  });

  it("needs svc-users for its thread, and says so while it is down", async () => {
    users.threads.push(threadBetween("ann", "late"));
    await callUpload(ann(), "HEAD", "/messageoh/media/uploads/none");
    users.isDown = true;
    const response = await createUpload(ann(), 5, { thread_id: "ann-late" });
    users.isDown = false;
    expect((await errorOf(response))[0]).toBe(503);
    expect((await createUpload(ann(), 5, { thread_id: "ann-late" })).status).toBe(201);
  });
});

it("leaves no file behind that no row names", async () => {
  const ids = new Set((await service.media.find().toArray()).map(({ _id }) => _id));
  const folders = (await readdir(service.folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  expect(folders.length).toBeGreaterThan(3);
  for (const folder of folders) {
    for (const name of await readdir(join(service.folder, folder))) expect(ids).toContain(name.slice(0, 32));
  }
});

it("stores nothing malformed", async () => {
  const optional = ["stated", "content", "error", "is_sent", "examine_at"];
  for (const { _id, thread_id, name, ...row } of await service.media.find().toArray()) {
    expect([_id, thread_id]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^\w+-\w+$/)]);
    expect(name !== "" && name.isWellFormed() && !name.includes("\0")).toBe(true);
    expect([row.size, row.stored_bytes].every(Number.isInteger)).toBe(true);
    expect([row.created_at, row.check_at]).toEqual([expect.any(Date), expect.any(Date)]);
    const known = ["owner_id", "state", "size", "stored_bytes", "created_at", "check_at", ...optional];
    expect(known).toEqual(expect.arrayContaining(Object.keys(row)));
  }
});
