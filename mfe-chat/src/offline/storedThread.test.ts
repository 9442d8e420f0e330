import { aMessage, aState, aThreadState, messagesBetween, pageLoaded, reduce } from "../../testing/builders.ts";
import type { ChatAction } from "../state/chatReducer.ts";
import { searchStored } from "./searchStored.ts";
import { fromStored, toStored } from "./storedThread.ts";

const changed = (seq: number, change: number, text: string, deleted_at?: string): ChatAction => ({
  type: "messagesChanged",
  messages: [aMessage({ seq, change, text, deleted_at })],
});
const page = pageLoaded(messagesBetween(4, 5));

/** Returns the state with the newest two of five messages, in their state at the third change of the thread. */
const loaded = (...actions: ChatAction[]) =>
  reduce(aState({ threads: [aThreadState({ last_seq: 5, last_change: 3 })] }), [page, ...actions]);
const stored = (...actions: ChatAction[]) => {
  const thread = loaded(...actions).threads.get("with-bob");
  if (!thread) throw new Error("No thread");
  return toStored(thread);
};

describe("a thread on the device", () => {
  it("has the changes of messages that the page has not loaded, which the device may hold", () => {
    const { messages, knownChange, sinceChange } = stored(changed(2, 4, "Changed"));
    expect(messages.map(({ text }) => text)).toEqual(["Changed", "Text 4", "Text 5"]);
    expect([knownChange, sinceChange]).toEqual([4, 3]);
  });

  it("has no hidden message, and takes the stored ones off the device", () => {
    const pending: ChatAction = {
      type: "pendingChanged",
      pending: [{ kind: "hide", op_id: "a", thread_id: "with-bob", queued_at: 1, seq: 5, hidden: true }],
    };
    const change = { thread_id: "with-bob", seq: 2, hidden: true };
    const { messages, hidden } = stored(changed(2, 4, "Changed"), { type: "messageMarked", change }, pending);
    expect([messages.map(({ text }) => text), hidden]).toEqual([["Text 4"], new Set([2, 5])]);
  });

  it("keeps the stars, also those that the server has not confirmed, and needs no request for the pinned messages", () => {
    const change = { thread_id: "with-bob", seq: 4, starred: true };
    const pending: ChatAction = {
      type: "pendingChanged",
      pending: [{ kind: "star", op_id: "a", thread_id: "with-bob", queued_at: 1, seq: 5, starred: true }],
    };
    const thread = fromStored(stored({ type: "messageMarked", change }, pending));
    expect(thread).toMatchObject({ starred: new Set([4, 5]), arePinsLoaded: true });
  });

  it("begins without a number of changes, which only the server knows", () => {
    expect(fromStored(stored())).toMatchObject({ knownChange: null, lastSeq: 5 });
  });
});

describe("the search on the device", () => {
  const texts = (text: string, ...actions: ChatAction[]) => searchStored(loaded(...actions), text).map((m) => m.text);

  it("finds what the messages say now, and no deleted ones", () => {
    expect(texts("text")).toEqual(["Text 5", "Text 4"]);
    expect(texts("new", changed(5, 4, "New words"))).toEqual(["New words"]);
    expect(texts("e", changed(5, 4, "deleted", "2026-01-01T00:00:00.000Z"))).toEqual(["Text 4"]);
  });

  it("finds no hidden message", () => {
    const change = { thread_id: "with-bob", seq: 5, hidden: true };
    expect(texts("text", { type: "messageMarked", change })).toEqual(["Text 4"]);
  });

  it("finds what the user has changed without a network", () => {
    const ofMessage = { op_id: "a", thread_id: "with-bob", queued_at: 1, seq: 5 };
    const pending: ChatAction = { type: "pendingChanged", pending: [{ ...ofMessage, kind: "delete" }] };
    expect(texts("text", pending)).toEqual(["Text 4"]);
  });
});
