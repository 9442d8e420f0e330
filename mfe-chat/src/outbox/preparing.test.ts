import { memoryStorage } from "../../testing/memoryStorage.ts";
import { aDevice, aTab, MINUTE, ok, write } from "../../testing/outboxTab.ts";
import { prepareOnce } from "../uploading/prepareOnce.ts";

const ORIGINAL = "a photo and where it was taken";
const PREPARED = "a small photo";

/** Pictures that wait until the browser has decoded them. */
let waiting: (() => void)[] = [];
/** The browser decodes pictures at once. */
let isFast = false;
let decoded = 0;
/** The tabs of a test. */
let tabs: Tab[] = [];

function decodeAll(): void {
  isFast = true;
  for (const decode of waiting) decode();
}

beforeEach(() => {
  [waiting, isFast, decoded, tabs] = [[], false, 0, []];
  const bitmap = { width: 4, height: 3, close: () => undefined };
  Object.assign(globalThis, {
    createImageBitmap: () =>
      new Promise((resolve) => {
        decoded += 1;
        if (isFast) resolve(bitmap);
        else waiting.push(() => resolve(bitmap));
      }),
    OffscreenCanvas: class {
      getContext = () => ({ drawImage: () => undefined });
      convertToBlob = async () => new Blob([PREPARED], { type: "image/webp" });
    },
  });
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  // Pictures are decoded one after the other, also those of the next test.
  decodeAll();
  for (const { outbox } of tabs) outbox.stop();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Waits until a condition holds, because the bytes of a Blob are read in real time. */
async function until(isTrue: () => unknown): Promise<void> {
  for (const end = Date.now() + 5_000; !isTrue(); await aMoment()) if (Date.now() > end) throw new Error("Too late");
}
const aMoment = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

function started(options?: Parameters<typeof aTab>[0]) {
  const tab = aTab(options);
  tabs.push(tab);
  tab.outbox.start();
  return tab;
}
type Tab = ReturnType<typeof aTab>;

const aPhoto = () => new Blob([ORIGINAL], { type: "image/jpeg" });

/** Sends pictures that are not prepared. Resolves when they are stored on the device, if it stores files. */
async function sendPictures({ outbox, files }: Tab, text: string, names: string[], photo?: Blob): Promise<void> {
  const queued = names.map((name) => ({
    key: `key-${name}`,
    original: `original-${name}`,
    name: `${name}.jpg`,
    bytes: ORIGINAL.length,
    type: "image/jpeg",
  }));
  for (const { original } of queued) files.hold(original, photo ?? aPhoto());
  outbox.add({ client_id: `id-${text}`, thread_id: "with-bob", recipient_user_id: "bob", text, files: queued });
  if (await files.save(queued.map(({ original }) => original))) outbox.keep(`id-${text}`);
}

/** Returns the bytes that an upload would send. */
const uploadedBytes = async (tab: Tab, index = 0) => (await tab.files.get(tab.uploads[index]?.key ?? ""))?.text();

describe("a message whose files are not prepared", () => {
  it("is shown and stored at once, and uploaded when it is prepared", async () => {
    const { device, kept } = aDevice();
    const { storage, values } = memoryStorage();
    const tab = started({ device, storage });
    await sendPictures(tab, "photos", ["a", "b"]);
    expect(tab.states()).toEqual(["photos: uploading"]);
    expect([values.size, [...kept.keys()]]).toEqual([1, ["original-a", "original-b"]]);
    await until(() => waiting.length > 0);
    expect(tab.uploads).toEqual([]);
    decodeAll();
    await until(() => tab.uploads.length > 0);
    expect(await uploadedBytes(tab)).toBe(PREPARED);
    const known = { bytes: PREPARED.length, type: "image/webp", width: 4, height: 3 };
    expect(tab.tab.queue).toMatchObject([
      {
        files: [
          { name: "a.webp", ...known },
          { name: "b.webp", ...known },
        ],
      },
    ]);
    await until(() => kept.size === 2);
    expect([...kept.keys()]).toEqual(["key-a", "key-b"]);
  });

  it("goes on with what has begun before it was sent", async () => {
    const tab = started({ device: aDevice().device });
    const photo = aPhoto();
    void prepareOnce(photo, "a.jpg");
    await until(() => waiting.length > 0);
    await sendPictures(tab, "photos", ["a"], photo);
    decodeAll();
    await until(() => tab.uploads.length > 0);
    expect([decoded, await uploadedBytes(tab)]).toEqual([1, PREPARED]);
  });

  it("is prepared again after a reload, and uploaded then", async () => {
    const { device } = aDevice();
    const { storage } = memoryStorage();
    const before = started({ device, storage });
    await sendPictures(before, "photos", ["a"]);
    await until(() => waiting.length > 0);
    before.outbox.stop();
    const after = started({ device, storage });
    expect(after.states()).toEqual(["photos: uploading"]);
    decodeAll();
    await until(() => after.uploads.length > 0);
    expect(await uploadedBytes(after)).toBe(PREPARED);
    expect(before.uploads).toEqual([]);
    await after.uploads[0]?.finish();
    await until(() => after.sent.length > 0);
    expect(after.sentTexts()).toEqual(["photos"]);
  });

  it("is prepared without a connection", async () => {
    const { device, kept } = aDevice();
    const tab = started({ device });
    tab.tab.isConnected = false;
    await sendPictures(tab, "photos", ["a"]);
    decodeAll();
    await until(() => kept.has("key-a") && !kept.has("original-a"));
    expect(tab.uploads).toEqual([]);
    tab.tab.isConnected = true;
    tab.outbox.flush();
    expect(await uploadedBytes(tab)).toBe(PREPARED);
  });

  it("holds no text back, but the files of the next message", async () => {
    const tab = started();
    await sendPictures(tab, "photos", ["a"]);
    await sendPictures(tab, "more", ["b"]);
    write(tab.outbox, "text");
    expect(tab.sentTexts()).toEqual(["text"]);
    await tab.sent[0]?.respond(ok("text"));
    decodeAll();
    await until(() => tab.uploads.length > 0);
    expect(tab.uploads.map(({ text }) => text)).toEqual(["photos"]);
    await tab.uploads[0]?.finish();
    await until(() => tab.uploads.length > 1);
    expect(tab.sentTexts()).toEqual(["text", "photos"]);
  });

  it("leaves no bytes when it is cancelled", async () => {
    const { device, kept } = aDevice();
    const tab = started({ device });
    await sendPictures(tab, "photos", ["a"]);
    await until(() => waiting.length > 0);
    expect(tab.outbox.delete("id-photos")).toBe(true);
    decodeAll();
    await aMoment(50);
    expect([kept.size, tab.tab.queue, tab.uploads]).toEqual([0, [], []]);
    expect(await tab.files.get("key-a")).toBeUndefined();
  });

  it("leaves the files to the tab that takes over", async () => {
    const { device, kept } = aDevice();
    const tab = started({ device });
    await sendPictures(tab, "photos", ["a"]);
    await until(() => waiting.length > 0);
    tab.become(false);
    decodeAll();
    await aMoment(50);
    expect([...kept.keys()]).toEqual(["original-a"]);
    tab.become(true);
    await until(() => tab.uploads.length > 0);
    expect(await uploadedBytes(tab)).toBe(PREPARED);
  });

  it("stores nothing after the user has logged out", async () => {
    const { device, kept } = aDevice();
    const tab = started({ device });
    await sendPictures(tab, "photos", ["a"]);
    await until(() => waiting.length > 0);
    tab.outbox.stop();
    kept.clear();
    decodeAll();
    await aMoment(50);
    expect([kept.size, tab.uploads]).toEqual([0, []]);
  });

  it("says which file cannot be read, and tries again on a retry", async () => {
    const tab = started();
    const unreadable = new Blob([ORIGINAL]);
    unreadable.slice = () => ({ arrayBuffer: () => Promise.reject(new Error("It is gone")) }) as unknown as Blob;
    jest.spyOn(tab.files, "get").mockResolvedValueOnce(unreadable);
    await sendPictures(tab, "photos", ["a"]);
    await until(() => tab.tab.queue[0]?.state === "not-sent");
    expect(tab.tab.queue).toMatchObject([
      { text: "photos", reason: "“\u2068a.jpg\u2069” cannot be read, so it cannot be sent." },
    ]);
    tab.outbox.retry("id-photos");
    decodeAll();
    await until(() => tab.uploads.length > 0);
    expect(await uploadedBytes(tab)).toBe(PREPARED);
  });

  it("says that its files are gone after the end of the session", async () => {
    const { device, kept } = aDevice();
    const { storage } = memoryStorage();
    const before = started({ device, storage, isSender: false });
    await sendPictures(before, "photos", ["a"]);
    before.outbox.stop();
    kept.clear();
    const after = started({ device, storage });
    await until(() => after.tab.queue[0]?.state === "not-sent");
    const reason = "The files are no longer in this browser. Attach them again.";
    expect(after.tab.queue).toMatchObject([{ text: "photos", reason }]);
  });

  it("keeps the original on the device until what is sent is stored", async () => {
    const { device, kept } = aDevice();
    const { storage } = memoryStorage();
    const { put } = device;
    const tab = started({ device, storage });
    await sendPictures(tab, "photos", ["a"]);
    device.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    decodeAll();
    await until(() => tab.uploads.length > 0);
    expect(await uploadedBytes(tab)).toBe(PREPARED);
    expect([...kept.keys()]).toEqual(["original-a"]);
    tab.outbox.stop();
    device.put = put;
    const after = started({ device, storage });
    await until(() => after.uploads.length > 0);
    expect(await uploadedBytes(after)).toBe(PREPARED);
  });

  it("sends a file that is no picture as it is", async () => {
    const { device, kept } = aDevice();
    const tab = started({ device });
    const files = [{ key: "key-a", original: "original-a", name: "a.txt", bytes: 4, type: "text/plain" }];
    tab.files.hold("original-a", new Blob(["text"], { type: "text/plain" }));
    const about = { client_id: "id-a", thread_id: "with-bob", recipient_user_id: "bob", text: "a" };
    tab.outbox.add({ ...about, files });
    if (await tab.files.save(["original-a"])) tab.outbox.keep("id-a");
    await until(() => tab.uploads.length > 0);
    expect([await uploadedBytes(tab), [...kept.keys()]]).toEqual(["text", ["original-a"]]);
  });

  it("is not given up while its code cannot be loaded without a connection", async () => {
    jest.useFakeTimers({ now: 1_000_000 });
    const tab = started({ prepareFile: () => Promise.reject(new TypeError("Failed to fetch")) });
    tab.tab.isConnected = false;
    await sendPictures(tab, "photos", ["a"]);
    await jest.advanceTimersByTimeAsync(10 * MINUTE);
    expect(tab.states()).toEqual(["photos: uploading"]);
    tab.tab.isConnected = true;
    await jest.advanceTimersByTimeAsync(10 * MINUTE);
    expect(tab.states()).toEqual(["photos: not-sent"]);
  });
});
