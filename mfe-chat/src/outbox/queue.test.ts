import { aQueued } from "../../testing/builders.ts";
import {
  deadlineOf,
  expired,
  inOrder,
  NOT_SENT_AFTER_MS,
  nextQueuedAt,
  nextToSend,
  refused,
  retried,
} from "./queue.ts";

const a = aQueued({ client_id: "a", queued_at: 10 });
const b = aQueued({ client_id: "b", queued_at: 20 });
const c = aQueued({ client_id: "c", queued_at: 30, thread_id: "with-cleo" });
const ids = (entries: { client_id: string }[]) => entries.map((entry) => entry.client_id);
const notUnderWay = () => false;

describe("the queue", () => {
  it("is in the order in which messages were written", () => {
    expect(ids(inOrder([c, b, a]))).toEqual(["a", "b", "c"]);
  });

  it("has the same order in every tab for messages of one moment", () => {
    const twin = { ...a, client_id: "0" };
    expect(ids(inOrder([a, twin]))).toEqual(ids(inOrder([twin, a])));
  });

  it("puts a new message behind all others, even when the clock was set back", () => {
    expect(nextQueuedAt([a, b], 5)).toBe(21);
    expect(nextQueuedAt([a, b], 500)).toBe(500);
  });

  it("sends one message per thread at a time, the first", () => {
    expect(ids(nextToSend([a, b, c]))).toEqual(["a", "c"]);
  });

  it("does not let a message that was not sent hold up the next", () => {
    expect(ids(nextToSend([refused(a, "No"), b]))).toEqual(["b"]);
  });

  it("gives a message five minutes", () => {
    expect(NOT_SENT_AFTER_MS).toBe(300_000);
    expect(expired([a], 0, 10 + 299_999, notUnderWay)).toEqual([]);
    expect(expired([a], 0, 10 + 300_000, notUnderWay)).toMatchObject([{ client_id: "a", state: "not-sent" }]);
  });

  it("gives what lay there when the page opened its full time again", () => {
    expect(deadlineOf(a, 1_000_000)).toBe(1_300_000);
    expect(deadlineOf({ ...a, queued_at: 2_000_000 }, 1_000_000)).toBe(2_300_000);
  });

  it("gives up with a message all that wait behind it, so that none overtakes it", () => {
    expect(ids(expired([a, b, c], 0, 300_010, notUnderWay))).toEqual(["a", "b"]);
  });

  it("does not give up a message whose answer is awaited", () => {
    expect(expired([a, b], 0, 300_010, (id) => id === "a")).toEqual([]);
  });

  it("retries at the end of the queue, with the same id", () => {
    const again = retried(refused(a, "No"), [a, b], 15);
    expect(again).toMatchObject({ client_id: "a", state: "sending", queued_at: 21 });
    expect(again.reason).toBeUndefined();
    expect(again.timestamp).toBe(new Date(15).toISOString());
  });
});
