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

  it.each([
    ["attempts without a response", undefined],
    ["deferred sends", busy],
  ])("marks a message as not sent after five minutes of %s", async (_, ack) => {
    const { outbox, states, failFor } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await failFor(5 * MINUTE, ack);
    expect(states()).toEqual(["Hi: sending"]);
    await failFor(0.5 * MINUTE, ack);
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("marks a message as not sent after five minutes in which each attempt ended the connection", async () => {
    const { outbox, tab, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    for (let seconds = 0; seconds < 5 * 60 + 5; seconds += 5) {
      tab.isConnected = false;
      await sent.at(-1)?.fail();
      await jest.advanceTimersByTimeAsync(5_000);
      tab.isConnected = true;
      outbox.flush();
    }
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("sends a message with the same id on Retry after a refusal that is not recorded, because an earlier attempt may have stored it", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.fail();
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.respond({ error: "You have reached the daily limit for messages", is_retryable: false });
    expect(states()).toEqual(["Hi: not-sent"]);
    outbox.retry("id-Hi");
    expect(sent.map(({ entry }) => entry.client_id)).toEqual(["id-Hi", "id-Hi", "id-Hi"]);
  });

  it("sends a message under a new id on Retry after a recorded refusal, because the server never stores it under the old one", async () => {
    const { outbox, tab, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "Hi");
    const [first] = tab.queue;
    await sent[0]?.respond({ error: "You can only write to your friends", is_retryable: false, is_recorded: true });
    outbox.retry(first?.client_id ?? "");
    expect(tab.queue).toMatchObject([{ text: "Hi", state: "sending" }]);
    expect(tab.queue[0]?.client_id).not.toBe(first?.client_id);
    expect(sentTexts()).toEqual(["Hi", "Hi"]);
  });

  it("does not retry a message that was not sent by itself", async () => {
    const { outbox, sent, failFor } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await failFor(6 * MINUTE);
    const attempts = sent.length;
    outbox.flush();
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(sent).toHaveLength(attempts);
  });

  it("gives a retried message its full time again", async () => {
    const { outbox, sent, states, failFor } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await failFor(6 * MINUTE);
    outbox.retry("id-Hi");
    await sent.at(-1)?.respond(busy);
    expect(states()).toEqual(["Hi: sending"]);
  });

  it("sends a message that was given up with the same id on Retry, because it may be stored", async () => {
    const { outbox, sent, states, failFor } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await failFor(6 * MINUTE);
    outbox.retry("id-Hi");
    expect(states()).toEqual(["Hi: sending"]);
    expect(new Set(sent.map(({ entry }) => entry.client_id))).toEqual(new Set(["id-Hi"]));
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
