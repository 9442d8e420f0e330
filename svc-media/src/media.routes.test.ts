import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { UsedSpace } from "@messageoh/contracts/media";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { photo } from "../testing/pictures.ts";
import { serveMedia, TEST_SECRET, type TestService } from "../testing/service.ts";
import { callUpload, createUpload, settledState, uploadReady } from "../testing/tus.ts";
import { findLargest } from "./media/usedSpace.ts";
import { storageKey } from "./storage/storage.ts";

let users: FakeUsers;
let service: TestService;
beforeEach(async () => {
  users = new FakeUsers([threadBetween("ann", "bob")]);
  service = await serveMedia(users);
});
afterEach(() => service.close());
const ann = () => ({ url: service.url, user: "ann" });
const get = (user: string, path: string, method = "GET") =>
  fetch(`${service.url}/media/${path}`, { method, headers: { cookie: `messageoh_session=TOKEN-${user}` } });
const statuses = async (id: string) => [
  (await get("ann", `${id}/file`)).status,
  (await get("bob", `${id}/file`)).status,
];
const internal = <Body>(path: string, body: object) =>
  service.call<Body>(`/internal/media/${path}`, {
    method: "POST",
    body,
    headers: { "x-internal-secret": TEST_SECRET },
  });
const find = (media_ids: string[], owner_id = "ann", thread_id = "ann-bob") =>
  internal<{ attachments?: { id: string }[]; refusal?: string }>("find", { owner_id, thread_id, media_ids });

/** Uploads a file and sends it, as svc-messages does. */
async function send(bytes: Buffer, name?: string): Promise<string> {
  const { id } = await uploadReady(ann(), bytes, name);
  expect((await find([id])).body.attachments).toHaveLength(1);
  service.messages.attached.add(id);
  return id;
}

it("serves a file to both members from the time of the message until it is deleted", async () => {
  const { id } = await uploadReady(ann(), Buffer.from("hello"));
  expect(await statuses(id)).toEqual([200, 404]);
  await find([id]);
  expect(await statuses(id)).toEqual([404, 404]);
  service.messages.attached.add(id);
  expect(await statuses(id)).toEqual([200, 200]);
  service.messages.attached.delete(id);
  expect(await statuses(id)).toEqual([404, 404]);
});

it("serves nothing after the end of the friendship or of the session", async () => {
  const id = await send(Buffer.from("hello"));
  expect(await statuses(id)).toEqual([200, 200]);
  users.signedOut.add("bob");
  service.sessions.forget("session-bob");
  expect(await statuses(id)).toEqual([200, 401]);
  const { user_ids } = users.endFriendship("ann-bob");
  service.forgetFriendships(user_ids);
  expect(await statuses(id)).toEqual([404, 401]);
});

it("fails with 503 and a text while svc-messages or svc-users is down", async () => {
  const id = await send(Buffer.from("hello"));
  service.messages.isDown = true;
  const failed = await get("bob", `${id}/file`);
  expect([failed.status, await failed.json()]).toEqual([503, { error: expect.any(String) }]);
  service.messages.isDown = false;
  service.forgetFriendships(["ann", "bob"]);
  users.isDown = true;
  expect((await get("bob", `${id}/file`)).status).toBe(503);
  users.isDown = false;
  expect((await get("bob", `${id}/file`)).status).toBe(200);
});

it("asks a former friend to try again who loads more files at once than may wait for a list of friends", async () => {
  const id = await send(Buffer.from("hello"));
  service.forgetFriendships(users.endFriendship("ann-bob").user_ids);
  await get("bob", `${id}/file`);
  const loads = await Promise.all(Array.from({ length: 120 }, () => get("bob", `${id}/file`)));
  const counts = Map.groupBy(loads, ({ status }) => status);
  expect([...counts.keys()].sort()).toEqual([404, 429]);
  expect(counts.get(429)?.[0]?.headers.get("retry-after")).toBe("1");
});

it("lets the gateway serve a picture inline, and a download under its name", async () => {
  const id = await send(await photo(), 'beach "1" – Zoë.jpg');
  const view = await get("bob", `${id}/view`);
  expect(Object.fromEntries(view.headers)).toMatchObject({
    "content-type": "image/webp",
    "content-disposition": "inline",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "x-accel-redirect": `/-/media/${id.slice(0, 2)}/${id}.view`,
  });
  expect(view.headers.has("cache-control")).toBe(false);
  expect(await view.text()).toBe("");
  expect((await get("bob", `${id}/thumb`)).headers.get("x-accel-redirect")).toMatch(/\.thumb$/);
  expect((await get("bob", `${id}/file`)).headers.get("content-disposition")).toBe(
    `attachment; filename="beach _1_ _ Zo_.webp"; filename*=UTF-8''beach%20%221%22%20%E2%80%93%20Zo%C3%AB.webp`,
  );
  expect((await get("bob", `${id}/view`, "HEAD")).status).toBe(200);
});

it("serves a file only as a download, and a video also inline", async () => {
  const page = await send(Buffer.from("<!doctype html><script>1</script>"), "page.html");
  expect((await get("bob", `${page}/view`)).status).toBe(404);
  expect((await get("bob", `${page}/thumb`)).status).toBe(404);
  expect(Object.fromEntries((await get("bob", `${page}/file`)).headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": expect.stringMatching(/^attachment; filename="page.html"/),
  });
  const mp4 = Buffer.concat([Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isomisom", "latin1"), Buffer.alloc(100)]);
  const video = await send(mp4, "clip.mp4");
  expect((await get("bob", `${video}/view`)).headers.get("content-disposition")).toBe("inline");
  expect((await get("bob", `${video}/view`)).headers.get("content-type")).toBe("video/mp4");
  expect((await get("bob", `${video}/file`)).headers.get("content-disposition")).toMatch(/^attachment/);
  expect((await get("bob", `${video}/thumb`)).status).toBe(404);
  expect((await get("bob", `${video}/original`)).status).toBe(400);
});

it("resolves ids to the sender's own ready files of the thread, in order", async () => {
  const one = await uploadReady(ann(), Buffer.from("1"), "one.txt");
  const two = await uploadReady(ann(), await photo(), "two.jpg");
  expect((await find([two.id, one.id, two.id])).body).toEqual({ attachments: [two, one] });
  users.threads.push(threadBetween("ann", "cyd"));
  const refused = { refusal: expect.stringMatching(/no longer available/) };
  expect((await find([one.id], "bob")).body).toEqual(refused);
  expect((await find([one.id], "ann", "ann-cyd")).body).toEqual(refused);
  expect((await find([one.id, "missing"])).body).toEqual(refused);
  await service.media.updateOne(
    { _id: one.id },
    { $set: { state: "processing", examine_at: new Date(Date.now() + 1e6) } },
  );
  expect((await find([one.id])).body).toEqual(refused);
});

describe("the clean-up", () => {
  const due = (id: string) => service.media.updateOne({ _id: id }, { $set: { check_at: new Date(0) } });

  it("removes a file that no message contains, and keeps one that a message contains", async () => {
    const kept = await send(Buffer.from("kept"));
    const { id: unsent } = await uploadReady(ann(), await photo());
    expect(await service.cleanup.run()).toBe(0);
    await due(kept);
    await due(unsent);
    expect(await service.cleanup.run()).toBe(2);
    expect(await service.cleanup.run()).toBe(0);
    expect(await service.media.countDocuments({ _id: unsent })).toBe(0);
    await expect(service.storage.read(`${unsent.slice(0, 2)}/${unsent}.view`)).rejects.toMatchObject({ status: 503 });
    expect(await statuses(kept)).toEqual([200, 200]);
  });

  it("removes an unfinished upload, and a file whose message was deleted", async () => {
    const id = await send(Buffer.from("hello"));
    service.messages.attached.delete(id);
    await due(id);
    expect(await service.cleanup.run()).toBe(1);
    expect(await service.media.countDocuments({ _id: id })).toBe(0);
    const { id: other } = await uploadReady(ann(), Buffer.from("hello"));
    await service.media.updateOne({ _id: other }, { $set: { state: "uploading", check_at: new Date(0) } });
    await service.cleanup.run();
    expect(await service.media.countDocuments({ _id: other })).toBe(0);
  });

  it("leaves a file that is being sent, and one that svc-messages does not know about", async () => {
    const { id } = await uploadReady(ann(), Buffer.from("hello"));
    await due(id);
    let found: Awaited<ReturnType<typeof find>> | undefined;
    service.messages.beforeResponse = async () => {
      found = await find([id]);
    };
    await service.cleanup.run();
    const row = await service.media.findOne({ _id: id });
    expect(found?.body.attachments).toHaveLength(1);
    expect(row).toMatchObject({ state: "ready" });
    await find([id]);
    expect(await service.cleanup.run()).toBe(0);
  });

  it("removes nothing while svc-messages is down", async () => {
    const id = await send(Buffer.from("hello"));
    await due(id);
    service.messages.isDown = true;
    await expect(service.cleanup.run()).rejects.toMatchObject({ status: 503 });
    service.messages.isDown = false;
    expect(await service.cleanup.run()).toBe(1);
    expect(await statuses(id)).toEqual([200, 200]);
  });
});

describe("a copy for a forwarded message", () => {
  const webm = (codec: string) => Buffer.concat([Buffer.from("1a45dfa39f4282847765626d", "hex"), Buffer.from(codec)]);
  const copy = (media_ids: string[], client_id = "client-1", from_thread_id = "ann-bob") =>
    internal<{ attachments?: { id: string }[]; refusal?: string }>("copy", {
      ...{ owner_id: "bob", from_thread_id, thread_id: "bob-cyd", client_id, media_ids },
    });
  beforeEach(() => users.threads.push(threadBetween("bob", "cyd")));

  it("is a file of the other thread, and is served when the original is gone", async () => {
    const id = await send(await photo(), "beach.jpg");
    const [copied] = (await copy([id])).body.attachments ?? [];
    const copyId = copied?.id as string;
    expect(copied).toMatchObject({ kind: "picture", name: "beach.jpg" });
    expect(copyId).not.toBe(id);
    expect((await get("bob", `${copyId}/file`)).status).toBe(404);
    service.messages.attached.add(copyId);
    expect(
      await Promise.all(["ann", "bob", "cyd"].map(async (user) => (await get(user, `${copyId}/thumb`)).status)),
    ).toEqual([404, 200, 200]);
    service.messages.attached.delete(id);
    await service.media.updateMany({ _id: id }, { $set: { check_at: new Date(0) } });
    await service.cleanup.run();
    expect(await service.media.countDocuments({ _id: id })).toBe(0);
    for (const variant of ["file", "view", "thumb"]) {
      const location = (await get("cyd", `${copyId}/${variant}`)).headers.get("x-accel-redirect") ?? "";
      expect((await stat(join(service.folder, location.replace("/-/media/", "")))).size).toBeGreaterThan(100);
    }
  });

  it.each([
    ["audio", webm("A_OPUS")],
    ["video", webm("V_VP9")],
  ])("keeps all that is known of a file of kind %s", async (kind, bytes) => {
    const stated = { wave: Buffer.alloc(64, 7).toString("base64"), thumbhash: "AAAA" };
    const numbers = { seconds: "12.5", width: "640", height: "480" };
    const location = (await createUpload(ann(), bytes.length, { ...stated, ...numbers })).headers.get("location") ?? "";
    await callUpload(ann(), "PATCH", location, { offset: 0, body: bytes });
    const id = location.split("/").at(-1) ?? "";
    const state = await settledState(ann(), id);
    service.messages.attached.add(id);
    const original = state.state === "ready" ? state.attachment : undefined;
    expect(original).toMatchObject({ kind, seconds: 12.5 });
    const [copied] = (await copy([id])).body.attachments ?? [];
    expect(copied).toEqual({ ...original, id: copied?.id });
  });

  it("is made once for a message that is sent again", async () => {
    const id = await send(Buffer.from("hello"));
    const first = (await copy([id])).body;
    expect((await copy([id])).body).toEqual(first);
    expect((await copy([id], "client-2")).body).not.toEqual(first);
    expect(await service.media.countDocuments({ thread_id: "bob-cyd" })).toBe(2);
  });

  it("is completed if the process ended while it was made", async () => {
    const id = await send(Buffer.from("hello"));
    const copyId = (await copy([id])).body.attachments?.[0]?.id as string;
    await service.media.updateOne({ _id: copyId }, { $set: { state: "uploading" } });
    await copy([id]);
    expect(await service.media.findOne({ _id: copyId })).toMatchObject({ state: "ready" });
  });

  it("leaves nothing behind if it is cancelled while it is made, and is made again", async () => {
    const id = await send(Buffer.from("hello"));
    const { copy: copyObject } = service.storage;
    let key = "";
    jest.spyOn(service.storage, "copy").mockImplementationOnce(async (from, to) => {
      key = to;
      const location = `/messageoh/media/uploads/${to.split("/").at(-1)}`;
      expect((await callUpload({ url: service.url, user: "bob" }, "DELETE", location)).status).toBe(204);
      await copyObject(from, to);
    });
    expect((await copy([id])).status).toBe(503);
    expect(existsSync(join(service.folder, key))).toBe(false);
    expect((await copy([id])).body.attachments).toHaveLength(1);
    expect(existsSync(join(service.folder, key))).toBe(true);
    jest.restoreAllMocks();
  });

  it("is refused without the file, from another thread, and beyond the daily limit of the user", async () => {
    const id = await send(Buffer.from("hello"));
    const gone = { refusal: "A file of this message is no longer available" };
    expect((await copy(["missing"])).body).toEqual(gone);
    expect((await copy([id], "client-1", "bob-cyd")).body).toEqual(gone);
    await service.storage.removeAll(storageKey(id));
    expect((await copy([id], "client-3")).body).toEqual(gone);
    await service.close();
    service = await serveMedia(users, { rates: { bytes: { count: 8, seconds: 86_400 } } });
    const other = await send(Buffer.from("hello"));
    expect((await copy([other])).body.attachments).toHaveLength(1);
    expect((await copy([other], "client-2")).body).toEqual({
      refusal: "You have reached the daily limit for files. Please try again tomorrow",
    });
  });
});

describe("the space that files take up", () => {
  it("is summed by thread, and lists the largest files with the numbers of their messages", async () => {
    const [small, large] = [
      await send(Buffer.alloc(1_000, "a"), "small.txt"),
      await send(Buffer.alloc(3_000, "a"), "large.txt"),
    ];
    await uploadReady(ann(), Buffer.alloc(2_000, "a"), "not sent.txt");
    const other = await uploadReady(ann(), Buffer.alloc(9_000, "a"), "other.txt");
    await service.media.updateOne({ _id: other.id }, { $set: { thread_id: "ann-cid" } });
    const response = await get("ann", "storage/ann");
    expect(response.status).toBe(200);
    const { threads, largest } = (await response.json()) as UsedSpace;
    expect(threads).toEqual([
      { thread_id: "ann-cid", bytes: 9_000, files: 1 },
      { thread_id: "ann-bob", bytes: 6_000, files: 3 },
    ]);
    expect(
      largest.map(({ attachment: { id, name, bytes }, thread_id, seq }) => [id, name, bytes, thread_id, seq]),
    ).toEqual([
      [large, "large.txt", 3_000, "ann-bob", 2],
      [small, "small.txt", 1_000, "ann-bob", 1],
    ]);
    expect((await (await get("bob", "storage/bob")).json()) as UsedSpace).toEqual({ threads: [], largest: [] });
  });

  it("is read from an index", async () => {
    const plan = await findLargest(service.media, "ann").explain("queryPlanner");
    expect(JSON.stringify(plan)).not.toContain('"stage":"SORT"');
  });
});
