import { aTab, busy, MINUTE, write } from "../../testing/outboxTab.ts";

describe("messages that were not sent", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it("marks a refused message as not sent with the reason, and continues with the next", async () => {
    const { outbox, tab, sent, sentTexts, states } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    await sent[0]?.respond({ error: "You can only write to your friends", is_retryable: false });
    expect(states()).toEqual(["1: not-sent", "2: sending"]);
    expect(tab.queue[0]?.reason).toBe("You can only write to your friends");
    expect(sentTexts()).toEqual(["1", "2"]);
  });

  it("marks a message as not sent after five minutes", async () => {
    const { outbox, tab, states } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(states()).toEqual(["Hi: sending"]);
    await jest.advanceTimersByTimeAsync(1);
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("marks a message as not sent after five minutes of deferred sends", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    for (let minutes = 0; minutes < 6; minutes += 0.25) {
      await sent.at(-1)?.respond(busy);
      await jest.advanceTimersByTimeAsync(MINUTE / 4);
    }
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("does not retry a message that was not sent by itself", async () => {
    const { outbox, tab, sent } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(6 * MINUTE);
    tab.isConnected = true;
    outbox.flush();
    expect(sent).toHaveLength(0);
  });

  it("sends a retried message with the same id", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.respond({ error: "No", is_retryable: false });
    outbox.retry("id-Hi");
    expect(states()).toEqual(["Hi: sending"]);
    expect(sent[1]?.entry.client_id).toBe("id-Hi");
  });

  it("sends a new message after an older one was not sent", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "Old");
    await sent[0]?.respond({ error: "No", is_retryable: false });
    write(outbox, "New");
    expect(sentTexts()).toEqual(["Old", "New"]);
  });

  it("deletes only messages that were not sent", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    outbox.delete("id-Hi");
    expect(states()).toEqual(["Hi: sending"]);
    await sent[0]?.respond({ error: "No", is_retryable: false });
    outbox.delete("id-Hi");
    expect(states()).toEqual([]);
  });
});
