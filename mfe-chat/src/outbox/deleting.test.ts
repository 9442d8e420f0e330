import { memoryStorage } from "../../testing/memoryStorage.ts";
import { anOfflineTab, aTab, ok, write } from "../../testing/outboxTab.ts";

const KEY = "messageoh:outbox:me:id-Hi";

describe("deleting a message from the outbox", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  /** Opens a tab with one message, written without a connection. */
  function aTabWithMessage(options?: Parameters<typeof anOfflineTab>[0]) {
    const opened = anOfflineTab(options);
    write(opened.outbox, "Hi");
    return opened;
  }

  it("deletes a message that no tab has tried to send, and never sends it", () => {
    const { storage, values } = memoryStorage();
    const { outbox, connect, sent, states } = aTabWithMessage({ storage });
    write(outbox, "Ho");
    expect(outbox.delete("id-Hi")).toBe(true);
    expect(states()).toEqual(["Ho: sending"]);
    expect(values.has(KEY)).toBe(false);
    connect();
    expect(sent.map(({ entry }) => entry.text)).toEqual(["Ho"]);
  });

  it("deletes a message that waits behind another one", async () => {
    const { outbox, connect, sent, sentTexts } = aTabWithMessage();
    write(outbox, "Ho");
    connect();
    expect(outbox.delete("id-Ho")).toBe(true);
    await sent[0]?.respond(ok("Hi"));
    expect(sentTexts()).toEqual(["Hi"]);
  });

  it("refuses while an attempt may have stored the message, also after the connection is lost again", async () => {
    const { outbox, connect, tab, sent, states } = aTabWithMessage();
    connect();
    expect(outbox.delete("id-Hi")).toBe(false);
    tab.isConnected = false;
    await sent[0]?.fail();
    expect(outbox.delete("id-Hi")).toBe(false);
    expect(states()).toEqual(["Hi: sending"]);
  });

  it("refuses after a reload, because the attempt is stored before the message is sent", () => {
    const { storage } = memoryStorage();
    const before = aTabWithMessage({ storage });
    before.connect();
    expect(before.sentTexts()).toEqual(["Hi"]);
    // The tab crashes here.
    const after = aTab({ storage });
    after.tab.isConnected = false;
    after.outbox.start();
    expect(after.outbox.delete("id-Hi")).toBe(false);
    expect(after.states()).toEqual(["Hi: sending"]);
  });

  it("deletes after a reload without a connection", () => {
    const { storage, values } = memoryStorage();
    aTabWithMessage({ storage }).outbox.stop();
    const after = aTab({ storage });
    after.tab.isConnected = false;
    after.outbox.start();
    expect(after.outbox.delete("id-Hi")).toBe(true);
    expect(values.size).toBe(0);
  });

  it("refuses for a message of an earlier release, which does not store attempts", () => {
    const { storage, values } = memoryStorage();
    aTabWithMessage({ storage }).outbox.stop();
    const { is_untried, ...earlier } = JSON.parse(values.get(KEY) ?? "");
    values.set(KEY, JSON.stringify(earlier));
    const after = aTab({ storage });
    after.tab.isConnected = false;
    after.outbox.start();
    expect([is_untried, after.outbox.delete("id-Hi")]).toEqual([true, false]);
  });

  it("keeps a message that another tab deletes while this one sends it, until the server has responded", async () => {
    const { outbox, connect, sent, stored, states } = aTabWithMessage();
    connect();
    outbox.handleStorage({ key: KEY, newValue: null });
    expect(states()).toEqual(["Hi: sending"]);
    await sent[0]?.respond(ok("Hi"));
    expect([states(), stored]).toEqual([[], ["Hi"]]);
  });

  it("does not send a message that another tab has deleted while this one was suspended", () => {
    const { storage } = memoryStorage();
    const suspended = aTabWithMessage({ storage });
    const other = aTab({ storage, isSender: false });
    other.outbox.start();
    other.outbox.delete("id-Hi");
    suspended.outbox.reload();
    suspended.connect();
    expect([suspended.states(), suspended.sentTexts()]).toEqual([[], []]);
  });

  it("keeps a message that the full storage did not take when the page wakes up", () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const { storage } = memoryStorage();
    storage.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const { outbox, connect, sentTexts } = aTabWithMessage({ storage });
    outbox.reload();
    connect();
    expect(sentTexts()).toEqual(["Hi"]);
    jest.restoreAllMocks();
  });

  it("deletes a refused message that is sent again, until its new attempt", async () => {
    const { outbox, connect, tab, sent } = aTabWithMessage();
    connect();
    await sent[0]?.respond({ error: "You can only write to your friends", is_retryable: false, is_recorded: true });
    tab.isConnected = false;
    outbox.retry("id-Hi");
    expect(outbox.delete(tab.queue[0]?.client_id ?? "")).toBe(true);
  });
});
