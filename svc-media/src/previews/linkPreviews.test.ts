import { readdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { until } from "@messageoh/service-kit/testing/until";
import sharp from "sharp";
import { html, type Page, redirect, startPages } from "../../testing/pages.ts";
import { photo } from "../../testing/pictures.ts";
import { serveMedia, TEST_SECRET, type TestService } from "../../testing/service.ts";
import { uploadReady } from "../../testing/tus.ts";

let web: Awaited<ReturnType<typeof startPages>>;
let users: FakeUsers;
let service: TestService;
beforeEach(async () => {
  users = new FakeUsers([threadBetween("ann", "bob"), threadBetween("bob", "cyd")]);
  web = await startPages({ "/": html('<title>A page</title><meta property="og:image" content="/a.jpg">') });
  service = await serveMedia(users, { pages: { allowedHosts: [web.host], resolve: async () => [] } });
});
afterEach(async () => {
  await service.close();
  await web.close();
});

const picture =
  (bytes: Buffer, type = "image/jpeg"): Page =>
  (response) =>
    void response.setHeader("content-type", type).end(bytes);
const cookieOf = (user: string) => `messageoh_session=TOKEN-${user}`;
const create = (url: string, user = "ann", signal?: AbortSignal) =>
  fetch(`${service.url}/media/previews`, {
    method: "POST",
    headers: { cookie: cookieOf(user), "content-type": "application/json" },
    body: JSON.stringify({ thread_id: "ann-bob", url }),
    ...(signal && { signal }),
  });
const preview = async (path = "/", user?: string) => {
  const response = await create(web.url + path, user);
  expect(response.status).toBe(200);
  return ((await response.json()) as { preview: LinkPreview | null }).preview;
};
const statuses = (id: string, variant = "thumb") =>
  Promise.all(
    ["ann", "bob", "cyd"].map(async (user) => {
      const headers = { cookie: cookieOf(user) };
      return (await fetch(`${service.url}/media/${id}/${variant}`, { headers })).status;
    }),
  );
async function internal<Body>(path: string, body: object) {
  const headers = { "x-internal-secret": TEST_SECRET };
  return (await service.call<Body>(`/internal/media/${path}`, { method: "POST", body, headers })).body;
}
type Found = { preview: LinkPreview | null };
const find = (preview_id: string, owner_id = "ann", thread_id = "ann-bob") =>
  internal<Found>("previews/find", { owner_id, thread_id, preview_id });
/** Returns the names of all stored objects. */
const objects = async () =>
  (await readdir(service.folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

it("has the title, the host and the re-encoded picture of a page, and serves it like a picture of a message", async () => {
  web.pages["/a.jpg"] = picture(await photo());
  const made = await preview();
  const id = made?.id as string;
  expect(made).toEqual({
    ...{ id, url: `${web.url}/`, title: "A page", site: "localhost" },
    picture: { width: 40, height: 60 },
  });
  expect((await objects()).sort()).toEqual([`${id}.thumb`, `${id}.view`]);
  expect(await statuses(id)).toEqual([200, 404, 404]);
  expect(await find(id)).toEqual({ preview: made });
  expect(await statuses(id)).toEqual([404, 404, 404]);
  service.messages.attached.add(id);
  expect(await statuses(id)).toEqual([200, 200, 404]);
  service.messages.attached.delete(id);
  expect(await statuses(id)).toEqual([404, 404, 404]);
});

it("goes to the user and the thread that it was made for", async () => {
  const { id } = (await preview()) as LinkPreview;
  expect(await find(id, "bob")).toEqual({ preview: null });
  expect(await find(id, "ann", "bob-cyd")).toEqual({ preview: null });
  expect(await find("missing")).toEqual({ preview: null });
});

it("is no file, and a file is no preview", async () => {
  web.pages["/a.jpg"] = picture(await photo());
  const { id } = (await preview()) as LinkPreview;
  const asFile = await internal("find", { owner_id: "ann", thread_id: "ann-bob", media_ids: [id] });
  expect(asFile).toHaveProperty("refusal");
  const file = await uploadReady({ url: service.url, user: "ann" }, Buffer.from("hello"));
  expect(await find(file.id)).toEqual({ preview: null });
  for (const [method, path] of [
    ["GET", `/media/${id}`],
    ["DELETE", `/media/uploads/${id}`],
  ] as const) {
    const headers = { cookie: cookieOf("ann"), "tus-resumable": "1.0.0" };
    expect((await fetch(service.url + path, { method, headers })).status).toBe(404);
  }
});

it("names the host of the link, which opens, and not the one that it leads to", async () => {
  web.pages["/short"] = redirect(`http://127.0.0.1:${web.port}/`);
  expect(await preview("/short")).toBeNull();
  web.pages["/short"] = redirect("/");
  expect(await preview("/short")).toMatchObject({ url: `${web.url}/short`, site: "localhost", title: "A page" });
});

it.each<[what: string, path: string, page: Page]>([
  ["is missing", "/missing", (response) => void response.writeHead(404).end()],
  ["has no title", "/empty", html("")],
  ["is no page", "/file", html("<title>A</title>", "application/octet-stream")],
  ["leads to an internal address", "/internal", redirect("http://127.0.0.1/")],
])("is null if the page %s", async (_, path, page) => {
  web.pages[path] = page;
  expect(await preview(path)).toBeNull();
  expect(await service.media.countDocuments()).toBe(0);
});

it.each<[what: string, page: () => Page | Promise<Page>]>([
  ["is missing", () => (response) => void response.writeHead(404).end()],
  ["is not a picture", () => picture(Buffer.from("<script>alert(1)</script>"))],
  ["has another type", () => picture(Buffer.from("<svg/>"), "image/svg+xml")],
  ["is at an internal address", () => redirect("http://169.254.169.254/")],
  ["is larger than 5 MB", () => picture(Buffer.alloc(5_000_001))],
  [
    "would have too many pixels",
    async () =>
      picture(
        await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: "red" } })
          .png()
          .toBuffer(),
        "image/png",
      ),
  ],
])("has no picture if the picture %s", async (_, page) => {
  web.pages["/a.jpg"] = await page();
  const made = (await preview()) as LinkPreview;
  expect([made.title, made.picture]).toEqual(["A page", undefined]);
  for (const variant of ["thumb", "view", "file"]) expect(await statuses(made.id, variant)).toEqual([404, 404, 404]);
  expect(await objects()).toEqual([]);
  expect(await find(made.id)).toEqual({ preview: made });
});

it("has no picture if its examination does not end in time", async () => {
  const silent = createServer((socket) => socket.resume().on("error", () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  await service.close();
  service = await serveMedia(users, {
    pages: { allowedHosts: [web.host], resolve: async () => [] },
    clamdUrl: `tcp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  });
  web.pages["/a.jpg"] = picture(await photo());
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const shorter = jest.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 10));
  const response = await create(`${web.url}/`, "ann", timeout(5_000)).catch(() => undefined);
  shorter.mockRestore();
  silent.close();
  const made = response && ((await response.json()) as { preview: LinkPreview }).preview;
  expect(made).toEqual({ id: expect.any(String), url: `${web.url}/`, title: "A page", site: "localhost" });
});

it("has no picture beyond the user's daily limit for files", async () => {
  await service.close();
  service = await serveMedia(users, {
    pages: { allowedHosts: [web.host], resolve: async () => [] },
    rates: { bytes: { count: 10, seconds: 86_400 } },
  });
  web.pages["/a.jpg"] = picture(await photo());
  expect(await preview()).not.toHaveProperty("picture");
});

it("loads one page of a user at a time, ends with the request, and refuses more than three that wait", async () => {
  web.pages["/silent"] = () => {};
  const gone = new AbortController();
  const ended: unknown[] = [];
  for (let count = 0; count < 5; count += 1)
    void create(`${web.url}/silent`, "ann", gone.signal).then(
      ({ status }) => ended.push(status),
      () => ended.push("gone"),
    );
  await until(async () => web.paths.includes("/silent") && ended.length === 1);
  expect(await preview("/", "bob")).toMatchObject({ title: "A page" });
  gone.abort();
  expect(await preview("/")).toMatchObject({ title: "A page" });
  expect(ended).toEqual([429, "gone", "gone", "gone", "gone"]);
  expect(web.paths.filter((path) => path === "/silent")).toHaveLength(1);
});

it.each([
  ["ftp://a.example/", "A link begins with http:// or https://"],
  ["a.example", "A link begins with http:// or https://"],
  [`https://a.example/${"a".repeat(2_000)}`, "A link has at most 2000 characters"],
])("refuses %s as a link", async (url, error) => {
  const response = await create(url);
  expect([response.status, await response.json()]).toEqual([400, { error }]);
});

it("is copied when its message is forwarded", async () => {
  web.pages["/a.jpg"] = picture(await photo());
  const { id } = (await preview()) as LinkPreview;
  await find(id);
  service.messages.attached.add(id);
  const target = { owner_id: "bob", from_thread_id: "ann-bob", thread_id: "bob-cyd", client_id: "client-1" };
  const { preview: copy } = await internal<Found>("previews/copy", { ...target, preview_id: id });
  expect(copy).toMatchObject({ title: "A page", picture: { width: 40 } });
  expect(await internal<Found>("previews/copy", { ...target, preview_id: id })).toEqual({ preview: copy });
  service.messages.attached.add(copy?.id as string);
  expect(await statuses(copy?.id as string)).toEqual([404, 200, 200]);
  expect(await internal<Found>("previews/copy", { ...target, preview_id: "missing" })).toEqual({ preview: null });
  const fromOther = { ...target, from_thread_id: "bob-cyd", preview_id: id };
  expect(await internal<Found>("previews/copy", fromOther)).toEqual({ preview: null });
});

it("is removed when no message contains it any more, and stays as long as one does", async () => {
  web.pages["/a.jpg"] = picture(await photo());
  const { id } = (await preview()) as LinkPreview;
  const due = () => service.media.updateMany({ _id: id }, { $set: { check_at: new Date(0) } });
  service.messages.attached.add(id);
  await due();
  await service.cleanup.run();
  expect(await service.media.countDocuments()).toBe(1);
  service.messages.attached.delete(id);
  await due();
  await service.cleanup.run();
  expect(await service.media.countDocuments()).toBe(0);
  expect(await objects()).toEqual([]);
});

it("is neither in the space that files take up nor in the download of all files", async () => {
  web.pages["/a.jpg"] = picture(await photo());
  const { id } = (await preview()) as LinkPreview;
  service.messages.attached.add(id);
  const get = (path: string) => fetch(service.url + path, { headers: { cookie: cookieOf("ann") } });
  expect(await (await get("/media/storage/ann")).json()).toEqual({ threads: [], largest: [] });
  const zip = await get("/media/export/ann");
  expect(Buffer.from(await zip.arrayBuffer()).toString("latin1")).not.toContain("localhost");
});
