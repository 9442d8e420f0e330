import { messagesBetween } from "../../testing/builders.ts";
import { MESSAGES_MAX, newestMessages, THREAD_BYTES_MAX } from "./limits.ts";

const seqs = (messages: readonly { seq: number }[]) => messages.map(({ seq }) => seq);

describe("the messages that the device keeps of a thread", () => {
  it("are the newest of those seen and stored, ascending and once each", () => {
    expect(seqs(newestMessages(messagesBetween(4, 6), messagesBetween(1, 4)))).toEqual([1, 2, 3, 4, 5, 6]);
    const deleted = messagesBetween(1, 1).map((message) => ({ ...message, text: "deleted" }));
    expect(newestMessages(deleted, messagesBetween(1, 1))).toEqual(deleted);
  });

  it("are in their newest state, in whichever list it is", () => {
    const [old] = messagesBetween(1, 1);
    const changed = messagesBetween(1, 1).map((message) => ({ ...message, text: "Changed", change: 2 }));
    expect(newestMessages(old ? [old] : [], changed)).toEqual(changed);
    expect(newestMessages(changed, old ? [old] : [])).toEqual(changed);
  });

  it("are limited in number", () => {
    expect(seqs(newestMessages(messagesBetween(1, 80), []))).toEqual(seqs(messagesBetween(81 - MESSAGES_MAX, 80)));
  });

  it("are the pinned ones and the newest", () => {
    const messages = messagesBetween(1, 80);
    const pinned = messages.map((message) =>
      message.seq === 2 ? { ...message, pinned: { by: "me", at: message.timestamp } } : message,
    );
    expect(seqs(newestMessages(pinned, []))).toEqual([2, ...seqs(messagesBetween(82 - MESSAGES_MAX, 80))]);
  });

  it("are limited in bytes", () => {
    const long = messagesBetween(1, 20).map((message) => ({ ...message, text: "x".repeat(4_000) }));
    const kept = newestMessages(long, []);
    expect(kept.at(-1)?.seq).toBe(20);
    expect(kept.length).toBe(Math.floor(THREAD_BYTES_MAX / 8_400));
  });
});
