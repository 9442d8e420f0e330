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

describe("outbox queue", () => {
  it("has the order in which messages were written", () => {
    expect(ids(inOrder([c, b, a]))).toEqual(["a", "b", "c"]);
  });

  it("has the same order in every tab for messages of the same time", () => {
    const twin = { ...a, client_id: "0" };
    expect(ids(inOrder([a, twin]))).toEqual(ids(inOrder([twin, a])));
  });

  it("appends a new message, even if the clock was set back", () => {
    expect(nextQueuedAt([a, b], 5)).toBe(21);
    expect(nextQueuedAt([a, b], 500)).toBe(500);
  });

  it("sends the first message of each thread", () => {
    expect(ids(nextToSend([a, b, c]))).toEqual(["a", "c"]);
  });

  it("is not blocked by a message that was not sent", () => {
    expect(ids(nextToSend([refused(a, "No"), b]))).toEqual(["b"]);
  });

  it("expires a message after five minutes", () => {
    expect(NOT_SENT_AFTER_MS).toBe(300_000);
    expect(expired([a], 0, 10 + 299_999, notUnderWay)).toEqual([]);
    expect(expired([a], 0, 10 + 300_000, notUnderWay)).toMatchObject([{ client_id: "a", state: "not-sent" }]);
  });

  it("gives messages of an earlier visit their full time again", () => {
    expect(deadlineOf(a, 1_000_000)).toBe(1_300_000);
    expect(deadlineOf({ ...a, queued_at: 2_000_000 }, 1_000_000)).toBe(2_300_000);
  });

  it("expires a message together with those behind it, so that none overtakes it", () => {
    expect(ids(expired([a, b, c], 0, 300_010, notUnderWay))).toEqual(["a", "b"]);
  });

  it("does not expire a message in flight", () => {
    expect(expired([a, b], 0, 300_010, (id) => id === "a")).toEqual([]);
  });

  it("appends a retried message with the same id", () => {
    const again = retried(refused(a, "No"), [a, b], 15);
    expect(again).toMatchObject({ client_id: "a", state: "sending", queued_at: 21 });
    expect(again.reason).toBeUndefined();
    expect(again.timestamp).toBe(new Date(15).toISOString());
  });
});
