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
import type { ChatAction } from "../state/chatReducer.ts";

const outbox = (...entries: ReturnType<typeof aQueued>[]): ChatAction => ({ type: "outboxChanged", outbox: entries });
const first = aQueued({ client_id: "a", text: "First" });
const second = aQueued({ client_id: "b", text: "Second", queued_at: 2 });

describe("own messages on their way", () => {
  it("are shown at once, as being sent", () => {
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

  it("stand last, in their order", () => {
    const state = reduce(aState(), [outbox(first, second), received(aMessage({ text: "Bob's" }))]);
    expect(texts(state)).toEqual(["Bob's", "First", "Second"]);
  });

  it("keep their key when they are stored, and stand where the server put them", () => {
    const stored = fromMe({ seq: 1, client_id: "a", text: "First" });
    const { thread } = shown(reduce(aState(), [outbox(first), received(stored)]));
    expect(thread.messages).toMatchObject([{ key: "a", id: stored.id, seq: 1, sendState: "sent" }]);
  });

  it("are not shown twice while the queue still has what is stored", () => {
    const stored = fromMe({ seq: 1, client_id: "a", text: "First" });
    const state = reduce(aState(), [received(stored), outbox(first, second)]);
    expect(texts(state)).toEqual(["First", "Second"]);
  });

  it("are not shown twice when a page of history brings what a lost ack left in the queue", () => {
    const state = reduce(aState(), [outbox(first), pageLoaded([fromMe({ client_id: "a", text: "First" })])]);
    expect(texts(state)).toEqual(["First"]);
  });

  it("are not taken for stored by a friend's message with the same client id", () => {
    const state = reduce(aState(), [outbox(first), received(aMessage({ client_id: "a", text: "Bob's" }))]);
    expect(texts(state)).toEqual(["Bob's", "First"]);
  });

  it("say when they were not sent, and why", () => {
    const { thread } = shown(reduce(aState(), [outbox({ ...first, state: "not-sent", reason: "Too long" })]));
    expect(thread.messages).toMatchObject([{ sendState: "not-sent", notSentReason: "Too long" }]);
  });

  it("are there after a reload, in a thread that becomes known later", () => {
    const state = reduce({ ...aState(), threads: new Map(), threadIdOf: new Map() }, [
      outbox(first),
      received(aMessage({ text: "Bob's" })),
    ]);
    expect(texts(state)).toEqual(["Bob's", "First"]);
  });

  it("are gone when they are taken off the queue", () => {
    expect(texts(reduce(aState(), [outbox(first), outbox()]))).toEqual([]);
  });

  it("leave other threads as they were", () => {
    const state = aState();
    expect(reduce(state, [outbox(first)]).threads.get("with-cleo")).toBe(state.threads.get("with-cleo"));
  });

  it("have no unread count and need no marker", () => {
    const state = reduce(aState(), [outbox(first), { type: "friendOpened", friendId: "bob" }]);
    expect(shown(state).thread).toMatchObject({ unreadCount: 0, firstUnreadSeq: null });
  });
});
