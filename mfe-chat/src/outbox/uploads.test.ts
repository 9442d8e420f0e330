import { memoryStorage } from "../../testing/memoryStorage.ts";
import { aDevice, aTab, attach, MINUTE, ok, write } from "../../testing/outboxTab.ts";

describe("a message with files in the outbox", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  function started(options?: Parameters<typeof aTab>[0]) {
    const tab = aTab(options);
    tab.outbox.start();
    return tab;
  }

  it("holds no text back, and is sent after it once its files are ready", async () => {
    const tab = started();
    const { outbox, uploads, sent, sentTexts, states } = tab;
    await attach(tab, "photos", "a", "b");
    write(outbox, "text");
    expect(states()).toEqual(["text: sending", "photos: uploading"]);
    await uploads[0]?.finish();
    expect(sentTexts()).toEqual(["text"]);
    await uploads[1]?.finish();
    expect(states()).toEqual(["text: sending", "photos: sending"]);
    expect(sentTexts()).toEqual(["text"]);
    await sent[0]?.respond(ok("text"));
    expect(sent[1]?.entry).toMatchObject({ text: "photos", files: [{ attachment: { id: "media-a" } }, { name: "b" }] });
  });

  it("uploads one file per thread at a time, in order, and reports the share that has arrived", async () => {
    const tab = started();
    const { uploads, shares } = tab;
    await attach(tab, "1", "a", "b");
    await attach(tab, "2", "c");
    expect(uploads.map(({ name }) => name)).toEqual(["a"]);
    uploads[0]?.onProgress(5);
    await uploads[0]?.finish();
    await uploads[1]?.finish();
    expect(uploads.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(shares).toEqual([0, 0.25, 0.5, 0.5, 0, 1]);
  });

  it("continues an upload after a failure of the network, with the files that are ready", async () => {
    const tab = started();
    await attach(tab, "photos", "a", "b");
    await tab.uploads[0]?.finish();
    tab.uploads[1]?.onUrl("/uploads/b");
    await tab.uploads[1]?.fail(0);
    await jest.advanceTimersByTimeAsync(999);
    expect(tab.uploads).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(tab.uploads.slice(2)).toMatchObject([{ name: "b", url: "/uploads/b" }]);
  });

  it("is not sent if the server refuses a file, and is uploaded anew on a retry", async () => {
    const tab = started();
    const { outbox, uploads, states } = tab;
    await attach(tab, "photos", "a");
    uploads[0]?.onUrl("/uploads/a");
    await uploads[0]?.fail(422, "This file contains malware");
    expect(tab.tab.queue).toMatchObject([{ state: "not-sent", reason: "This file contains malware" }]);
    outbox.retry("id-photos");
    expect(states()).toEqual(["photos: uploading"]);
    expect(uploads[1]?.url).toBeUndefined();
  });

  it("uploads its files anew on a retry if the server refuses the message", async () => {
    const tab = started();
    const { outbox, uploads, sent } = tab;
    await attach(tab, "photos", "a");
    await uploads[0]?.finish();
    await sent[0]?.respond({ error: "The files are too old", is_retryable: false, is_recorded: true });
    expect(tab.tab.queue).toMatchObject([{ state: "not-sent", reason: "The files are too old" }]);
    outbox.retry("id-photos");
    expect(tab.tab.queue).toMatchObject([{ state: "uploading", files: [{ key: "key-a" }] }]);
    expect(uploads).toHaveLength(2);
    expect(await tab.files.get("key-a")).toBeDefined();
  });

  it("is given up after five minutes without progress, and continues on a retry", async () => {
    const tab = started();
    const { outbox, uploads } = tab;
    await attach(tab, "photos", "a");
    uploads[0]?.onUrl("/uploads/a");
    for (const end = Date.now() + 6 * MINUTE; Date.now() < end; ) {
      await uploads.at(-1)?.fail(0);
      await jest.advanceTimersByTimeAsync(MINUTE / 4);
    }
    expect(tab.states()).toEqual(["photos: not-sent"]);
    outbox.retry("id-photos");
    expect(uploads.at(-1)?.url).toBe("/uploads/a");
  });

  it("is not given up while an upload that often breaks makes progress", async () => {
    const tab = started();
    await attach(tab, "photos", "a");
    for (const end = Date.now() + 10 * MINUTE; Date.now() < end; ) {
      tab.uploads.at(-1)?.onProgress(1);
      await tab.uploads.at(-1)?.fail(0);
      await jest.advanceTimersByTimeAsync(MINUTE / 4);
    }
    expect(tab.states()).toEqual(["photos: uploading"]);
  });

  it("ends its upload and leaves no bytes when it is cancelled", async () => {
    const { device, kept } = aDevice();
    const tab = started({ device });
    await attach(tab, "photos", "a");
    expect([...kept.keys()]).toEqual(["key-a"]);
    expect(tab.outbox.delete("id-photos")).toBe(true);
    await jest.advanceTimersByTimeAsync(0);
    expect([tab.uploads[0]?.signal.aborted, kept.size, tab.tab.queue]).toEqual([true, 0, []]);
  });

  it("leaves no bytes when the server has stored it", async () => {
    const { device, kept } = aDevice();
    const tab = started({ device });
    await attach(tab, "photos", "a");
    await tab.uploads[0]?.finish();
    expect(kept.size).toBe(1);
    await tab.sent[0]?.respond(ok("photos"));
    expect(kept.size).toBe(0);
  });

  it("continues after a reload, with the bytes from the device", async () => {
    const { device } = aDevice();
    const { storage } = memoryStorage();
    const before = started({ storage, device });
    await attach(before, "photos", "a");
    before.uploads[0]?.onUrl("/uploads/a");
    before.outbox.stop();
    expect(before.uploads[0]?.signal.aborted).toBe(true);
    const after = started({ storage, device });
    expect(after.uploads).toMatchObject([{ name: "a", url: "/uploads/a" }]);
    expect(await (await after.files.get("key-a"))?.text()).toBe("a");
  });

  it("is not stored without its bytes, which another tab could not find", async () => {
    const stored: string[] = [];
    const { storage } = memoryStorage(({ key }) => stored.push(key));
    const tab = started({ storage, device: null });
    await attach(tab, "photos", "a");
    expect(tab.states()).toEqual(["photos: uploading"]);
    expect(stored).toEqual([]);
  });

  it("is taken over from a tab that does not begin its upload, but not from one that has begun", async () => {
    const frozen = started({ isSender: false });
    await attach(frozen, "photos", "a");
    await jest.advanceTimersByTimeAsync(2_000);
    expect(frozen.tab.takenOver).toBe(1);

    const { storage } = memoryStorage();
    const { device } = aDevice();
    const tab = started({ storage, device, isSender: false });
    await attach(tab, "photos", "a");
    const key = storage.key(0) ?? "";
    const entry = JSON.parse(storage.getItem(key) ?? "");
    const begun = { ...entry, files: entry.files.map((file: object) => ({ ...file, url: "/uploads/a" })) };
    tab.outbox.handleStorage({ key, newValue: JSON.stringify(begun) });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(tab.tab.takenOver).toBe(0);
  });

  it("moves to another tab that takes the lock over", async () => {
    const { device } = aDevice();
    const tab = started({ device });
    await attach(tab, "photos", "a");
    tab.become(false);
    expect(tab.uploads[0]?.signal.aborted).toBe(true);
    tab.become(true);
    expect(tab.uploads).toHaveLength(2);
  });
});
