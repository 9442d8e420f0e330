import { memoryStorage } from "../../testing/memoryStorage.ts";
import { aTab, MINUTE, ok, write } from "../../testing/outboxTab.ts";

describe("outbox", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it("shows a message at once and sends it", () => {
    const { outbox, sentTexts, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    expect(states()).toEqual(["Hi: sending"]);
    expect(sentTexts()).toEqual(["Hi"]);
  });

  it("removes a stored message after reporting it", async () => {
    const { outbox, sent, stored, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.respond(ok("Hi"));
    expect(stored).toEqual(["Hi"]);
    expect(states()).toEqual([]);
  });

  it("sends the messages of a thread one at a time", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    expect(sentTexts()).toEqual(["1"]);
    await sent[0]?.respond(ok("1"));
    expect(sentTexts()).toEqual(["1", "2"]);
  });

  it("sends to different threads in parallel", () => {
    const { outbox, sentTexts } = aTab();
    outbox.start();
    write(outbox, "to Bob");
    write(outbox, "to Cleo", "with-cleo");
    expect(sentTexts()).toEqual(["to Bob", "to Cleo"]);
  });

  it("sends the messages of an earlier visit after a reload", () => {
    const { storage } = memoryStorage();
    const before = aTab({ storage });
    before.tab.isConnected = false;
    before.outbox.start();
    write(before.outbox, "1");
    write(before.outbox, "2");
    before.outbox.stop();

    const after = aTab({ storage });
    after.outbox.start();
    expect(after.states()).toEqual(["1: sending", "2: sending"]);
    expect(after.sentTexts()).toEqual(["1"]);
  });

  it("gives a message its full time again if the tab is opened a day later", async () => {
    const { storage } = memoryStorage();
    const before = aTab({ storage });
    before.outbox.start();
    write(before.outbox, "Hi");
    await before.failFor(4 * MINUTE);
    before.tab.isConnected = false;
    before.outbox.stop();
    await jest.advanceTimersByTimeAsync(24 * 60 * MINUTE);

    const after = aTab({ storage });
    after.outbox.start();
    expect(after.sentTexts()).toEqual(["Hi"]);
    await after.failFor(5 * MINUTE);
    expect(after.states()).toEqual(["Hi: sending"]);
    await after.failFor(0.5 * MINUTE);
    expect(after.states()).toEqual(["Hi: not-sent"]);
  });

  it("removes messages that were found among the stored ones", () => {
    const { storage, values } = memoryStorage();
    const { outbox, states } = aTab({ storage });
    outbox.start();
    write(outbox, "Hi");
    outbox.settle(["id-Hi"]);
    expect(states()).toEqual([]);
    expect(values.size).toBe(0);
  });

  it("handles a response after the page was left", async () => {
    const { storage, values } = memoryStorage();
    const { outbox, sent } = aTab({ storage });
    outbox.start();
    write(outbox, "Hi");
    outbox.stop();
    await sent[0]?.respond(ok("Hi"));
    expect(values.size).toBe(0);
  });
});
