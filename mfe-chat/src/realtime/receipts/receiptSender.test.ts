import type { Thread } from "../../state/thread/thread.ts";
import { newThread } from "../../state/thread/thread.ts";
import { createReceiptSender } from "./receiptSender.ts";

const threadsAt = (readSeq: number, threadId = "t") =>
  new Map<string, Thread>([[threadId, { ...newThread(threadId, "bob", []), readSeq }]]);

function watched() {
  // Without jitter.
  jest.spyOn(Math, "random").mockReturnValue(1);
  const sent: number[] = [];
  const failures: unknown[] = [];
  const server = { isUp: true };
  const sender = createReceiptSender({
    targetOf: (thread) => thread.readSeq,
    async send(_, seq) {
      sent.push(seq);
      if (!server.isUp) throw new Error("down");
    },
    onFailure: (error) => failures.push(error),
  });
  return { sender, sent, failures, server };
}

describe("receipt sender", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("sends at once", () => {
    const { sender, sent } = watched();
    sender.check(threadsAt(3));
    expect(sent).toEqual([3]);
  });

  it("merges changes during an interval into one send", async () => {
    const { sender, sent } = watched();
    for (const seq of [1, 2, 3, 4]) sender.check(threadsAt(seq));
    await jest.advanceTimersByTimeAsync(199);
    expect(sent).toEqual([1]);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([1, 4]);
  });

  it("does not send a confirmed number again", async () => {
    const { sender, sent } = watched();
    sender.check(threadsAt(3));
    await jest.advanceTimersByTimeAsync(1000);
    sender.check(threadsAt(3));
    sender.retry();
    expect(sent).toEqual([3]);
  });

  it("never sends a lower number", async () => {
    const { sender, sent } = watched();
    sender.check(threadsAt(3));
    await jest.advanceTimersByTimeAsync(1000);
    sender.check(threadsAt(2));
    expect(sent).toEqual([3]);
  });

  it("reports a failure and retries with a backoff", async () => {
    const { sender, sent, failures, server } = watched();
    server.isUp = false;
    sender.check(threadsAt(3));
    await jest.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1999);
    expect(sent).toHaveLength(2);
    server.isUp = true;
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(3);
    expect(failures).toHaveLength(2);
  });

  it("retries at once after a reconnect", async () => {
    const { sender, sent, server } = watched();
    server.isUp = false;
    sender.check(threadsAt(3));
    await jest.advanceTimersByTimeAsync(0);
    server.isUp = true;
    sender.retry();
    expect(sent).toEqual([3, 3]);
  });

  it("sends nothing after it was stopped", async () => {
    const { sender, sent } = watched();
    sender.check(threadsAt(1));
    sender.check(threadsAt(2));
    sender.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([1]);
  });
});
