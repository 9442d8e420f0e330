import { memoryStorage } from "../../testing/memoryStorage.ts";
import { aTab, MINUTE, ok, write } from "../../testing/outboxTab.ts";
import type { KeyValueStorage } from "../storage/browserStorage.ts";

describe("outbox in two tabs", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  /** Returns two tabs on one storage. As in a browser, a tab gets events only for changes of the other one. */
  function twoTabs() {
    let writer: "one" | "other" = "one";
    const { storage } = memoryStorage((event) => (writer === "one" ? other : one).outbox.handleStorage(event));
    const by = (name: "one" | "other"): KeyValueStorage => ({
      get length() {
        return storage.length;
      },
      key: storage.key,
      getItem: storage.getItem,
      setItem(key, value) {
        writer = name;
        storage.setItem(key, value);
      },
      removeItem(key) {
        writer = name;
        storage.removeItem(key);
      },
    });
    const one = aTab({ storage: by("one") });
    const other = aTab({ storage: by("other"), isSender: false });
    one.outbox.start();
    other.outbox.start();
    return { one, other };
  }

  it("shows the same messages", () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    expect(one.states()).toEqual(["Hi: sending"]);
    expect(other.states()).toEqual(["Hi: sending"]);
  });

  it("sends a message once, from the tab with the lock", async () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    expect(one.sentTexts()).toEqual(["Hi"]);
    expect(other.sentTexts()).toEqual([]);
    await one.sent[0]?.respond(ok("Hi"));
    expect(other.states()).toEqual([]);
  });

  it("continues when the tab with the lock is closed", () => {
    const { one, other } = twoTabs();
    one.tab.isConnected = false;
    write(one.outbox, "Hi");
    one.outbox.stop();
    other.become(true);
    expect(other.sentTexts()).toEqual(["Hi"]);
  });

  it("takes the lock over from a tab that is frozen in the background", async () => {
    const { one, other } = twoTabs();
    one.tab.isConnected = false;
    write(other.outbox, "Hi");
    await jest.advanceTimersByTimeAsync(2000);
    expect(other.tab.takenOver).toBe(1);
    expect(other.sentTexts()).toEqual(["Hi"]);
  });

  it("takes the lock over from a frozen tab if the clock was set back between two messages", async () => {
    const { one, other } = twoTabs();
    one.tab.isConnected = false;
    write(other.outbox, "1");
    jest.setSystemTime(Date.now() - 60 * MINUTE);
    write(other.outbox, "2");
    other.outbox.settle(["id-1"]);
    await jest.advanceTimersByTimeAsync(2000);
    expect(other.sentTexts()).toEqual(["2"]);
  });

  it("sends a message that was written hours ago without a connection once, whichever tab connects first", async () => {
    const { one, other } = twoTabs();
    for (const { tab } of [one, other]) tab.isConnected = false;
    write(other.outbox, "1");
    write(one.outbox, "2");
    await jest.advanceTimersByTimeAsync(3 * 60 * MINUTE);
    other.tab.isConnected = true;
    other.outbox.flush();
    expect(other.sentTexts()).toEqual([]);
    one.tab.isConnected = true;
    one.outbox.flush();
    await one.sent[0]?.respond(ok("1"));
    await one.sent[1]?.respond(ok("2"));
    await jest.advanceTimersByTimeAsync(2000);
    expect(one.sentTexts()).toEqual(["1", "2"]);
    expect(other.sentTexts()).toEqual([]);
    expect([...one.states(), ...other.states()]).toEqual([]);
  });

  it("does not take the lock over from a tab that sends", async () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    await one.sent[0]?.respond(ok("Hi"));
    await jest.advanceTimersByTimeAsync(2000);
    expect(other.tab.takenOver).toBe(0);
  });

  it("deletes and retries messages of the other tab", async () => {
    const { one, other } = twoTabs();
    write(one.outbox, "Hi");
    await one.sent[0]?.respond({ error: "No", is_retryable: false });
    other.outbox.retry("id-Hi");
    expect(one.sentTexts()).toEqual(["Hi", "Hi"]);
    await one.sent[1]?.respond({ error: "No", is_retryable: false });
    other.outbox.delete(other.tab.queue[0]?.client_id ?? "");
    expect(one.states()).toEqual([]);
  });

  it("synchronises after one of them was suspended", async () => {
    const { storage } = memoryStorage();
    const one = aTab({ storage });
    const other = aTab({ storage, isSender: false });
    one.outbox.start();
    other.outbox.start();
    write(one.outbox, "1");
    await one.sent[0]?.respond({ error: "No", is_retryable: false });
    other.outbox.reload();
    expect(other.states()).toEqual(["1: not-sent"]);
    one.outbox.delete("id-1");
    other.outbox.reload();
    expect(other.states()).toEqual([]);
  });
});
