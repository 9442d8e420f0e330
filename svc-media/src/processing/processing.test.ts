import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { until } from "@messageoh/service-kit/testing/until";
import sharp from "sharp";
import { animation, noise, photo } from "../../testing/pictures.ts";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { callUpload, createUpload, settledState, upload, uploadReady } from "../../testing/tus.ts";
import { createMedia, type MediaRow } from "../media/media.model.ts";
import { storageKey } from "../storage/storage.ts";
import type { Examined } from "./examine.ts";
import { createProcessing } from "./processing.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveMedia(new FakeUsers([threadBetween("ann", "bob")]));
});
afterAll(() => service.close());
const ann = () => ({ url: service.url, user: "ann" });
const load = async (id: string, variant: "view" | "thumb") =>
  buffer(await service.storage.read(`${storageKey(id)}.${variant}`));

/** Returns a file that begins with these bytes. */
const startingWith = (start: number[] | string) =>
  Buffer.concat([Buffer.from(start as string, "latin1"), Buffer.alloc(600)]);
const box = (brand: string) => startingWith(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}isom`);
const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6d];
const webm = (...codecs: string[]) => Buffer.concat([startingWith(EBML), Buffer.from(codecs.join("\0"))]);
const mp4 = (...handlers: string[]) => Buffer.concat([box("iso5"), Buffer.from(handlers.join("\0"))]);
const SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
/** Inserts a comment after the first marker of a JPEG. */
const withComment = (jpeg: Buffer) =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from("\xff\xfe\0\x19<script>SECRET</script>", "latin1"),
    jpeg.subarray(2),
  ]);

describe("a picture", () => {
  it("is upright, small, and without metadata", async () => {
    const original = await photo();
    expect(original.includes("SECRET-COMMENT")).toBe(true);
    const attachment = await uploadReady(ann(), original, "photo.jpg");
    expect(attachment).toMatchObject({ kind: "picture", name: "photo.jpg", type: "image/webp", width: 40, height: 60 });
    expect(Buffer.from(attachment.thumbhash ?? "", "base64").length).toBeGreaterThan(5);
    for (const variant of ["view", "thumb"] as const) {
      const { exif, icc, xmp, orientation, format } = await sharp(await load(attachment.id, variant)).metadata();
      expect({ exif, icc, xmp, orientation, format }).toEqual({ format: "webp" });
    }
  });

  it("has at most 2,048 and 320 pixels", async () => {
    const picture = await noise(2_600, 1_300).jpeg().toBuffer();
    const { id, width, height } = await uploadReady(ann(), picture, "photo.jpg");
    expect([width, height]).toEqual([2_048, 1_024]);
    const thumb = await sharp(await load(id, "thumb")).metadata();
    expect([thumb.width, thumb.height]).toEqual([320, 160]);
  });

  it.each(["png", "webp", "gif", "avif"] as const)("may be a %s", async (format) => {
    const { kind, width, height } = await uploadReady(ann(), await noise(64, 48).toFormat(format).toBuffer());
    expect({ kind, width, height }).toEqual({ kind: "picture", width: 64, height: 48 });
  });

  it.each([
    [12, 12],
    [301, 1],
  ])("with %i frames moves in %i frames", async (frames, shown) => {
    const { id, width, height } = await uploadReady(ann(), await animation(64, 48, frames), "cat.gif");
    expect([width, height]).toEqual([64, 48]);
    expect((await sharp(await load(id, "view")).metadata()).pages ?? 1).toBe(shown);
    expect((await sharp(await load(id, "thumb")).metadata()).pages ?? 1).toBe(1);
  });

  it.each([
    ["an archive", (picture: Buffer) => Buffer.concat([picture, Buffer.from("PK\x03\x04 evil.js SECRET")])],
    ["a script in a comment", withComment],
  ])("loses %s that was added to it", async (_, add) => {
    const { id, kind } = await uploadReady(ann(), add(await photo()), "photo.jpg");
    expect(kind).toBe("picture");
    for (const variant of ["view", "thumb"] as const) expect((await load(id, variant)).includes("SECRET")).toBe(false);
  });
});

describe("a file", () => {
  it.each<[what: string, kind: string, type: string, make: () => Promise<Buffer> | Buffer]>([
    [
      "a picture with too many pixels",
      "file",
      "image/png",
      async () =>
        sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: "red" } })
          .png()
          .toBuffer(),
    ],
    [
      "a picture without pixels",
      "file",
      "image/png",
      async () => (await noise(60, 40).png().toBuffer()).subarray(0, 33),
    ],
    ["a GIF that is a script", "file", "image/gif", () => Buffer.from("GIF89a/*<script>1</script>*/=1;")],
    ["a truncated picture", "file", "image/jpeg", async () => (await photo()).subarray(0, -500)],
    ["a ZIP file", "file", "application/zip", () => startingWith("PK\x03\x04\x14\0\0\0\0\0")],
    ["an SVG with a script", "file", "application/octet-stream", () => Buffer.from(SVG)],
    ["an HTML page", "file", "application/octet-stream", () => Buffer.from("<!doctype html><script>1</script>")],
    ["a HEIC picture", "file", "image/heic", () => box("heic")],
    ["a PDF", "file", "application/pdf", () => startingWith("%PDF-1.4\n")],
    ["one byte", "file", "application/octet-stream", () => Buffer.from("x")],
    ["an MP4 video", "video", "video/mp4", () => box("isom")],
    ["a QuickTime video", "video", "video/quicktime", () => box("qt  ")],
    ["a WebM video", "video", "video/webm", () => webm("V_VP9", "A_OPUS")],
    ["a WebM recording", "audio", "audio/webm", () => webm("A_OPUS")],
    ["an MP4 video with sound", "video", "video/mp4", () => mp4("vide", "soun")],
    ["an MP4 recording", "audio", "audio/mp4", () => mp4("soun")],
    ["an M4A recording", "audio", "audio/mp4", () => box("M4A ")],
    ["an MP3", "audio", "audio/mpeg", () => startingWith([0xff, 0xfb, 0x90, 0x64])],
    ["a WAV", "audio", "audio/wav", () => startingWith("RIFF\x24\0\0\0WAVEfmt ")],
    ["an Ogg recording", "audio", "audio/ogg", () => startingWith(`OggS\0\x02${"\0".repeat(22)}OpusHead`)],
  ])("that contains %s is %s, whatever its name", async (_, kind, type, make) => {
    const bytes = await make();
    const attachment = await uploadReady(ann(), bytes, "holiday.jpg");
    expect(attachment).toMatchObject({ kind, type, name: "holiday.jpg", bytes: bytes.length });
    expect(attachment).not.toHaveProperty("width");
    expect(existsSync(join(service.folder, `${storageKey(attachment.id)}.view`))).toBe(false);
  });

  it.each<[kind: string, shown: string[], make: () => Promise<Buffer> | Buffer]>([
    ["audio", ["seconds", "wave"], () => webm("A_OPUS")],
    ["video", ["seconds", "width", "height", "thumbhash"], () => webm("V_VP9")],
    ["file", [], () => Buffer.from("x")],
    ["picture", [], photo],
  ])("of kind %s keeps %j of what its uploader states", async (kind, shown, make) => {
    const stated = { seconds: 12.5, wave: Buffer.alloc(64, 7).toString("base64"), width: 640, height: 480 };
    const all: Record<string, unknown> = { ...stated, thumbhash: "AAAA" };
    const bytes = await make();
    const metadata = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]));
    const location = (await createUpload(ann(), bytes.length, metadata)).headers.get("location") ?? "";
    await callUpload(ann(), "PATCH", location, { offset: 0, body: bytes });
    const state = await settledState(ann(), location.split("/").at(-1) ?? "");
    const attachment: Record<string, unknown> = state.state === "ready" ? state.attachment : {};
    expect(attachment.kind).toBe(kind);
    const kept = Object.keys(all).filter((name) => attachment[name] === all[name]);
    expect(kept.sort()).toEqual(shown.sort());
  });

  it("is what a picture becomes that crashes its process, and the next picture is none", async () => {
    await uploadReady(ann(), await photo());
    const pid = service.pictures.pid() ?? 0;
    process.kill(pid, "SIGSTOP");
    const make = jest.spyOn(service.pictures, "make");
    const id = await upload(ann(), await photo());
    await until(() => make.mock.calls.length > 0);
    process.kill(pid, "SIGKILL");
    expect(await settledState(ann(), id)).toMatchObject({ state: "ready", attachment: { kind: "file" } });
    expect(await uploadReady(ann(), await photo())).toMatchObject({ kind: "picture" });
    expect(service.pictures.pid()).not.toBe(pid);
  });
});

describe("the queue", () => {
  const row = (id: string, more: Partial<MediaRow>): MediaRow => ({
    _id: id,
    owner_id: "ann",
    thread_id: "ann-bob",
    state: "processing",
    name: "n",
    size: 5,
    stored_bytes: 5,
    created_at: new Date(),
    check_at: new Date(Date.now() + 1e6),
    ...more,
  });
  const store = async (id: string) => {
    const path = join(service.folder, storageKey(id));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "hello");
  };

  it("takes up files that an instance left when it ended", async () => {
    await store("aaaa-left");
    await service.media.insertOne(row("aaaa-left", { examine_at: new Date(Date.now() - 1_000) }));
    expect(await settledState(ann(), "aaaa-left")).toMatchObject({ state: "ready", attachment: { bytes: 5 } });
  });

  it("leaves a file to the instance that examines it", async () => {
    await store("aaaa-busy");
    await service.media.insertOne(row("aaaa-busy", { examine_at: new Date(Date.now() + 600_000) }));
    await store("aaaa-next");
    await service.media.insertOne(row("aaaa-next", { examine_at: new Date() }));
    await settledState(ann(), "aaaa-next");
    expect(await service.media.findOne({ _id: "aaaa-busy" })).toMatchObject({ state: "processing" });
    await service.media.deleteOne({ _id: "aaaa-busy" });
  });

  it("serves users in turn, so that one with many files does not delay the others", async () => {
    const picture = await noise(1_000, 800).jpeg().toBuffer();
    const many = await Promise.all(Array.from({ length: 9 }, () => upload(ann(), picture)));
    const bob = { url: service.url, user: "bob" };
    await uploadReady(bob, picture);
    const left = await service.media.countDocuments({ _id: { $in: many }, state: "processing" });
    expect(left).toBeGreaterThan(3);
    for (const id of many) await settledState(ann(), id);
  });

  it("offers a picture only when its original is gone, and examines it once", async () => {
    const remove = jest.spyOn(service.storage, "removeUpload").mockRejectedValueOnce(new Error("no storage"));
    const make = jest.spyOn(service.pictures, "make").mockClear();
    const id = await upload(ann(), await photo());
    await until(() => remove.mock.calls.length > 0);
    const original = join(service.folder, storageKey(id));
    expect(existsSync(original)).toBe(true);
    // Instead of the ten seconds until the next attempt.
    const row = { _id: id, state: "processing" as const, examine_at: { $lt: new Date(Date.now() + 60_000) } };
    await until(async () => {
      await service.media.updateOne(row, { $set: { examine_at: new Date(0) } });
      return (await service.media.countDocuments({ _id: id, state: "ready" })) === 1;
    });
    expect([existsSync(original), existsSync(`${original}.view`)]).toEqual([false, true]);
    expect(make).toHaveBeenCalledTimes(1);
    expect(await settledState(ann(), id)).toMatchObject({ attachment: { kind: "picture", width: 40, height: 60 } });
    expect(await service.media.findOne({ _id: id })).not.toHaveProperty("examine_at");
    jest.restoreAllMocks();
  });

  it("leaves nothing of a file that is cancelled meanwhile", async () => {
    const big = await noise(3_000, 2_000).jpeg().toBuffer();
    const created = await createUpload(ann(), big.length);
    const location = created.headers.get("location") ?? "";
    const id = location.split("/").at(-1) ?? "";
    await callUpload(ann(), "PATCH", location, { offset: 0, body: big });
    await until(async () => (await service.media.findOne({ _id: id, examine_at: { $gt: new Date() } })) !== null);
    expect((await callUpload(ann(), "DELETE", location)).status).toBe(204);
    await uploadReady(ann(), await photo());
    for (const suffix of ["", ".view", ".thumb", ".json"])
      expect(existsSync(join(service.folder, storageKey(id) + suffix))).toBe(false);
  });
});

describe("users with a backlog", () => {
  const REFUSED: Examined = { state: "refused", error: "Examined" };
  const due = (_id: string, owner_id: string, ageMs: number): MediaRow => ({
    ...{ _id, owner_id, thread_id: "t", state: "processing", name: "n", size: 5, stored_bytes: 5 },
    ...{ created_at: new Date(), check_at: new Date(Date.now() + 1e6), examine_at: new Date(Date.now() - ageMs) },
  });

  let close = async () => {};
  afterEach(() => close());

  /** Begins an examination whose files end one by one, when the test calls `next`. */
  async function serveGated(rows: readonly MediaRow[]) {
    const { connection, drop } = await openTestDatabase();
    const media = await createMedia(connection);
    await media.insertMany([...rows]);
    const begun: string[] = [];
    let release = Promise.withResolvers<void>();
    const examine = async ({ owner_id }: Pick<MediaRow, "owner_id">): Promise<Examined> => {
      begun.push(owner_id);
      await release.promise;
      return REFUSED;
    };
    const { storage } = service;
    const processing = createProcessing({ media, storage, examine, logger: silentLogger });
    close = async () => {
      release.resolve();
      await processing.close();
      await drop();
    };
    processing.start();
    await until(() => begun.length === 1);
    return {
      ...{ media, processing, begun },
      async next(): Promise<void> {
        const count = begun.length;
        const { resolve } = release;
        release = Promise.withResolvers<void>();
        resolve();
        await until(() => begun.length > count);
      },
    };
  }

  it("leave a place to a file that arrives later", async () => {
    const owners = ["o1", "o2", "o3", "o4", "o5"];
    const backlog = owners.flatMap((owner) =>
      Array.from({ length: 30 }, (_, index) => due(`${owner}-${index}`, owner, 60_000)),
    );
    const gated = await serveGated(backlog);
    const zoes = due("zoes", "zoe", 0);
    await gated.media.insertOne(zoes);
    gated.processing.add(zoes);
    for (let count = 0; count < 12; count += 1) await gated.next();
    expect(gated.begun).toContain("zoe");
  });

  it("do not hide the files of others that no instance examines", async () => {
    const backlog = Array.from({ length: 1_100 }, (_, index) => due(`one-${index}`, "one", 60_000));
    const gated = await serveGated([...backlog, due("zoes", "zoe", 1_000)]);
    for (let count = 0; count < 5; count += 1) await gated.next();
    expect(gated.begun).toContain("zoe");
  });
});
