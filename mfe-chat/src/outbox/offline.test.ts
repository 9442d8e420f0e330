import { memoryStorage } from "../../testing/memoryStorage.ts";
import { anOfflineTab, MINUTE, ok, write } from "../../testing/outboxTab.ts";

const HOUR = 60 * MINUTE;

describe("outbox without a connection", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it("sends messages that were written hours ago, in order and once, when the connection is back", async () => {
    const { outbox, connect, sent, sentTexts, states, stored } = anOfflineTab();
    write(outbox, "1");
    write(outbox, "2");
    await jest.advanceTimersByTimeAsync(7 * HOUR);
    expect(states()).toEqual(["1: sending", "2: sending"]);
    connect();
    write(outbox, "3");
    for (const text of ["1", "2", "3"]) await sent.at(-1)?.respond(ok(text));
    expect(sentTexts()).toEqual(["1", "2", "3"]);
    expect(stored).toEqual(["1", "2", "3"]);
    expect(states()).toEqual([]);
  });

  it("sends them after a reload of the page without a connection, with the same ids", async () => {
    const { storage } = memoryStorage();
    const before = anOfflineTab({ storage });
    write(before.outbox, "1");
    write(before.outbox, "2");
    await jest.advanceTimersByTimeAsync(HOUR);
    before.outbox.stop();

    const after = anOfflineTab({ storage });
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(after.states()).toEqual(["1: sending", "2: sending"]);
    after.connect();
    await after.sent[0]?.respond(ok("1"));
    expect(after.sent.map(({ entry }) => entry.client_id)).toEqual(["id-1", "id-2"]);
  });

  it("gives a message that failed before the interruption its remaining time after it", async () => {
    const { outbox, tab, sent, states, connect, failFor } = anOfflineTab();
    connect();
    write(outbox, "Hi");
    await failFor(4 * MINUTE);
    tab.isConnected = false;
    await sent.at(-1)?.fail();
    await jest.advanceTimersByTimeAsync(3 * HOUR);
    connect();
    expect(states()).toEqual(["Hi: sending"]);
    await failFor(0.5 * MINUTE);
    expect(states()).toEqual(["Hi: sending"]);
    await failFor(MINUTE);
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("does not give a message up whose attempt was suspended with the computer", async () => {
    const { outbox, connect, sent, states } = anOfflineTab();
    connect();
    write(outbox, "Hi");
    jest.setSystemTime(Date.now() + 8 * HOUR);
    await sent[0]?.fail();
    expect(states()).toEqual(["Hi: sending"]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(2);
  });

  it("sets no timer that would wake the device", () => {
    const { outbox } = anOfflineTab();
    write(outbox, "Hi");
    jest.advanceTimersByTime(MINUTE);
    expect(jest.getTimerCount()).toBe(0);
  });
});
