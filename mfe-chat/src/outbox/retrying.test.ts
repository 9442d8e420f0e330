import { aTab, busy, MINUTE, ok, write } from "../../testing/outboxTab.ts";

describe("retries of the outbox", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it("resends with the same id one second after a timeout", async () => {
    const { outbox, sent } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.fail();
    await jest.advanceTimersByTimeAsync(999);
    expect(sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent[1]?.entry.client_id).toBe(sent[0]?.entry.client_id);
  });

  it("increases the backoff with each failure up to 30 seconds", async () => {
    const { outbox, sent } = aTab();
    outbox.start();
    write(outbox, "Hi");
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const start = Date.now();
      const count = sent.length;
      await sent.at(-1)?.respond(busy);
      while (sent.length === count) await jest.advanceTimersByTimeAsync(500);
      waits.push(Date.now() - start);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("resends after the backoff if the clock is set back during it", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "1");
    await sent[0]?.respond(busy);
    jest.setSystemTime(Date.now() - 60 * MINUTE);
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.respond(ok("1"));
    write(outbox, "2");
    expect(sentTexts()).toEqual(["1", "1", "2"]);
  });

  it("keeps the order if the first message is retried", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    await sent[0]?.respond(busy);
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.respond(ok("1"));
    expect(sentTexts()).toEqual(["1", "1", "2"]);
  });

  it("reports a deferred send, and when sends are accepted again", async () => {
    const { outbox, sent, attempts } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.respond(busy);
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.respond(ok("Hi"));
    expect(attempts).toEqual([true, false]);
  });

  it("waits without a connection, and sends when it is back", async () => {
    const { outbox, tab, sent, sentTexts } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(sent).toHaveLength(0);
    tab.isConnected = true;
    outbox.flush();
    expect(sentTexts()).toEqual(["Hi"]);
  });

  it("skips the backoff after a reconnect", async () => {
    const { outbox, sent, tab } = aTab();
    outbox.start();
    write(outbox, "Hi");
    tab.isConnected = false;
    await sent[0]?.fail();
    tab.isConnected = true;
    outbox.flush();
    expect(sent).toHaveLength(2);
  });
});
