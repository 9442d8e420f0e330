import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { until } from "@messageoh/service-kit/testing/until";
import { describeBackends } from "../../testing/backends.ts";
import { photo } from "../../testing/pictures.ts";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { uploadReady } from "../../testing/tus.ts";
import { storageKey } from "../storage/storage.ts";

describeBackends("the download of all files", (backend) => {
  const users = new FakeUsers([threadBetween("ann", "bob"), threadBetween("bob", "cyd")]);
  let service: TestService;
  let dir: string;
  beforeAll(async () => {
    service = await serveMedia(users, { storage: backend.storage });
    dir = await mkdtemp(join(tmpdir(), "export-"));
  });
  afterAll(async () => {
    await service.close();
    await rm(dir, { recursive: true });
  });
  const download = (user: string, signal?: AbortSignal) =>
    fetch(`${service.url}/media/export/${user}`, { headers: { cookie: `messageoh_session=TOKEN-${user}` }, signal });

  /** Returns the files of a ZIP file by their names without date and id. */
  async function unpack(response: Response): Promise<Record<string, Buffer>> {
    await writeFile(join(dir, "all.zip"), Buffer.from(await response.arrayBuffer()));
    const target = await mkdtemp(join(dir, "out-"));
    await promisify(execFile)("python3", ["-m", "zipfile", "-e", join(dir, "all.zip"), target]);
    const files: Record<string, Buffer> = {};
    for (const name of await readdir(target)) {
      expect(name).toMatch(/^\d{4}-\d\d-\d\d [0-9a-f]{8} /);
      files[name.slice(20)] = await readFile(join(target, name));
    }
    return files;
  }

  it("contains what messages of the user's threads contain, byte for byte", async () => {
    const ann = { url: service.url, user: "ann" };
    const file = Buffer.alloc(300_000, "hello world ");
    const sent = await uploadReady(ann, file, "notes.txt");
    const picture = await uploadReady(ann, await photo(), "Zoë.jpg");
    await uploadReady(ann, Buffer.from("draft"), "unsent.txt");
    const others = await uploadReady({ url: service.url, user: "cyd" }, Buffer.from("x"), "others.txt", "bob-cyd");
    for (const { id } of [sent, picture, others]) service.messages.attached.add(id);

    const response = await download("ann");
    expect(Number(response.headers.get("x-media-bytes"))).toBe(file.length + picture.bytes + 5);
    const files = await unpack(response);
    expect(Object.keys(files).sort()).toEqual(["Zoë.webp", "notes.txt"]);
    expect(files["notes.txt"]?.equals(file)).toBe(true);
    expect(files["Zoë.webp"]?.length).toBe(picture.bytes);
    expect(Object.keys(await unpack(await download("bob"))).sort()).toEqual(["Zoë.webp", "notes.txt", "others.txt"]);
    expect(await unpack(await download("dora"))).toEqual({});
  });

  it("has names that Windows accepts", async () => {
    const { id } = await uploadReady(
      { url: service.url, user: "cyd" },
      Buffer.from("x"),
      'at 10:20 "A|B" <1>?*.txt',
      "bob-cyd",
    );
    service.messages.attached.add(id);
    expect(Object.keys(await unpack(await download("cyd")))).toContain("at 10_20 _A_B_ _1___.txt");
  });

  it("leaves out a file that was removed meanwhile", async () => {
    const cyd = { url: service.url, user: "cyd" };
    const removed = await uploadReady(cyd, Buffer.from("x"), "removed.txt", "bob-cyd");
    const kept = await uploadReady(cyd, Buffer.from("y"), "kept.txt", "bob-cyd");
    for (const { id } of [removed, kept]) service.messages.attached.add(id);
    await service.storage.removeAll(storageKey(removed.id));
    const names = Object.keys(await unpack(await download("cyd")));
    expect(names).toContain("kept.txt");
    expect(names).not.toContain("removed.txt");
  });

  describe("that a client reads slowly", () => {
    /**
     * Returns a download of more bytes than all buffers between the service and a client hold, of which half are by
     * each.
     */
    async function begin(one: string, other: string): Promise<Response> {
      users.threads.push(threadBetween(one, other));
      for (let count = 0; count < 10; count += 1) {
        const by = { url: service.url, user: count % 2 === 0 ? one : other };
        const { id } = await uploadReady(by, Buffer.alloc(5_000_000, 1), `${by.user}.bin`, `${one}-${other}`);
        service.messages.attached.add(id);
      }
      return download(one);
    }

    it("ends without its last part when the session ends", async () => {
      const response = await begin("gil", "hal");
      users.signedOut.add("gil");
      service.sessions.forget("session-gil");
      await expect(response.arrayBuffer()).rejects.toThrow();
    });

    it("goes on with the user's own files when the friendship ends", async () => {
      const response = await begin("ida", "jon");
      users.endFriendship("ida-jon");
      service.forgetFriendships(["ida", "jon"]);
      const zip = Buffer.from(await response.arrayBuffer());
      const countOf = (name: string) => zip.toString("latin1").split(`${name}.bin`).length - 1;
      expect(countOf("ida")).toBe(10);
      expect(countOf("jon")).toBeLessThan(10);
    });
  });

  it("runs once per user at a time, and ends when the client leaves", async () => {
    const bob = { url: service.url, user: "bob" };
    const large = await uploadReady(bob, Buffer.alloc(5_000_000, 1), "large.bin");
    const more = await Promise.all(
      Array.from({ length: 8 }, () => uploadReady(bob, Buffer.alloc(5_000_000, 2), "more.bin")),
    );
    for (const { id } of [large, ...more]) service.messages.attached.add(id);
    const leave = new AbortController();
    const first = await download("ann", leave.signal);
    expect(first.status).toBe(200);
    const second = await download("ann");
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "60"]);
    leave.abort();
    await until(async () => {
      const again = await download("ann");
      await again.body?.cancel();
      return again.status === 200;
    });
  });
});
