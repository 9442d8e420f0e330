import {
  aMessage,
  aQueued,
  aState,
  fromMe,
  pageLoaded,
  received,
  reduce,
  shown,
  texts,
  WITH_BOB,
} from "../../testing/builders.ts";
import type { ChatAction } from "./chatReducer.ts";

const outbox = (...entries: ReturnType<typeof aQueued>[]): ChatAction => ({ type: "outboxChanged", outbox: entries });
const first = aQueued({ client_id: "a", text: "First" });
const second = aQueued({ client_id: "b", text: "Second", queued_at: 2 });

describe("view of an unsent message", () => {
  it("shows it at once as sending", () => {
    const { thread } = shown(reduce(aState(), [outbox(first)]));
    expect(thread.messages).toMatchObject([
      {
        key: "a",
        id: first.timestamp,
        threadId: WITH_BOB,
        seq: null,
        isMine: true,
        text: "First",
        sendState: "sending",
      },
    ]);
    expect(thread.lastMessage?.text).toBe("First");
  });

  it("sorts it last, in queue order", () => {
    const state = reduce(aState(), [outbox(first, second), received(aMessage({ text: "Bob's" }))]);
    expect(texts(state)).toEqual(["Bob's", "First", "Second"]);
  });

  it("keeps its key when it is stored, and sorts it by the server's number", () => {
    const stored = fromMe({ seq: 1, client_id: "a", text: "First" });
    const { thread } = shown(reduce(aState(), [outbox(first), received(stored)]));
    expect(thread.messages).toMatchObject([{ key: "a", id: stored.id, seq: 1, sendState: "sent" }]);
  });

  it("shows it once while the queue still contains the stored message", () => {
    const stored = fromMe({ seq: 1, client_id: "a", text: "First" });
    const state = reduce(aState(), [received(stored), outbox(first, second)]);
    expect(texts(state)).toEqual(["First", "Second"]);
  });

  it("shows it once if a page of history contains it after a lost ack", () => {
    const state = reduce(aState(), [outbox(first), pageLoaded([fromMe({ client_id: "a", text: "First" })])]);
    expect(texts(state)).toEqual(["First"]);
  });

  it("does not treat a friend's message with the same client id as the stored one", () => {
    const state = reduce(aState(), [outbox(first), received(aMessage({ client_id: "a", text: "Bob's" }))]);
    expect(texts(state)).toEqual(["Bob's", "First"]);
  });

  it("shows that it was not sent, and why", () => {
    const { thread } = shown(reduce(aState(), [outbox({ ...first, state: "not-sent", reason: "Too long" })]));
    expect(thread.messages).toMatchObject([{ sendState: "not-sent", notSentReason: "Too long" }]);
  });

  it("shows it after a reload when its thread is loaded later", () => {
    const state = reduce({ ...aState(), threads: new Map(), threadIdOf: new Map() }, [
      outbox(first),
      received(aMessage({ text: "Bob's" })),
    ]);
    expect(texts(state)).toEqual(["Bob's", "First"]);
  });

  it("hides it when it is removed from the queue", () => {
    expect(texts(reduce(aState(), [outbox(first), outbox()]))).toEqual([]);
  });

  it("keeps the identity of other threads", () => {
    const state = aState();
    expect(reduce(state, [outbox(first)]).threads.get("with-cleo")).toBe(state.threads.get("with-cleo"));
  });

  it("does not count it as unread", () => {
    const state = reduce(aState(), [outbox(first), { type: "friendOpened", friendId: "bob" }]);
    expect(shown(state).thread).toMatchObject({ unreadCount: 0, firstUnreadSeq: null });
  });
});
