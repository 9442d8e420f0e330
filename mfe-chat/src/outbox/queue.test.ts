import { aQueued } from "../../testing/builders.ts";
import { afterFailure, givenUp, inOrder, nextIn, nextQueuedAt, refused, retried } from "./queue.ts";

const a = aQueued({ client_id: "a", queued_at: 10 });
const b = aQueued({ client_id: "b", queued_at: 20 });
const c = aQueued({ client_id: "c", queued_at: 30, thread_id: "with-cleo" });
const ids = (entries: { client_id: string }[]) => entries.map((entry) => entry.client_id);

const NO = { error: "No", is_retryable: false };

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
    expect(ids(nextIn("sending", [a, b, c]))).toEqual(["a", "c"]);
  });

  it("is not blocked by a message that was not sent", () => {
    expect(ids(nextIn("sending", [refused(a, NO), b]))).toEqual(["b"]);
  });

  it("counts the time of failed attempts and of the backoffs between them", () => {
    const first = afterFailure(undefined, 1_000, 11_000);
    expect(first).toEqual({ spentMs: 10_000, until: 11_000 });
    expect(afterFailure(first, 41_000, 51_000)).toEqual({ spentMs: 50_000, until: 51_000 });
  });

  it("does not count the time before an attempt after a reconnect, nor a clock that was set back", () => {
    const first = afterFailure(undefined, 1_000, 11_000);
    expect(afterFailure(first, 5_000_000, 5_001_000).spentMs).toBe(10_000);
    expect(afterFailure(first, 1_000, 2_000)).toEqual({ spentMs: 10_000, until: 2_000 });
  });

  it("gives a message up together with those behind it, so that none overtakes it", () => {
    const before = refused({ ...a, client_id: "0" }, NO);
    expect(givenUp([before, a, b, c], a)).toMatchObject([
      { client_id: "a", state: "not-sent" },
      { client_id: "b", state: "not-sent" },
    ]);
  });

  it("appends a message that was given up with the same id on Retry", () => {
    const again = retried({ ...a, state: "not-sent" }, [a, b], 15);
    expect(again).toMatchObject({ client_id: "a", state: "sending", queued_at: 21 });
    expect(again.timestamp).toBe(new Date(15).toISOString());
  });

  it("appends a message whose refusal is recorded without the reason and with a new id on Retry", () => {
    const again = retried(refused(a, { ...NO, is_recorded: true }), [a, b], 15);
    expect(again).toMatchObject({ text: a.text, state: "sending", queued_at: 21 });
    expect(again.client_id).not.toBe("a");
    expect(again).not.toHaveProperty("reason");
    expect(again).not.toHaveProperty("is_recorded");
  });
});
