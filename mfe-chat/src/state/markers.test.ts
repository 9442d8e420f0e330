import { aState, aThreadState, fromMe, received, reduce, shown, WITH_BOB } from "../../testing/builders.ts";
import type { ChatAction } from "./chatReducer.ts";
import type { ChatState } from "./chatState.ts";

const moved = (kind: "read" | "delivered", seq: number, userId = "bob"): ChatAction => ({
  type: "markerMoved",
  kind,
  threadId: WITH_BOB,
  userId,
  seq,
});
const sent = () => reduce(aState(), [received(fromMe({ seq: 1 }), fromMe({ seq: 2 }), fromMe({ seq: 3 }))]);
const states = (state: ChatState) => shown(state).thread.messages.map((message) => message.sendState);

describe("send state of an own message", () => {
  it("is sent when the message is stored", () => {
    expect(states(sent())).toEqual(["sent", "sent", "sent"]);
  });

  it("is delivered up to the friend's delivery receipt", () => {
    expect(states(reduce(sent(), [moved("delivered", 2)]))).toEqual(["delivered", "delivered", "sent"]);
  });

  it("is read up to the friend's read marker, even without a receipt", () => {
    expect(states(reduce(sent(), [moved("read", 2)]))).toEqual(["read", "read", "sent"]);
  });

  it("does not change from read to delivered", () => {
    expect(states(reduce(sent(), [moved("read", 3), moved("delivered", 3)]))).toEqual(["read", "read", "read"]);
  });

  it("ignores an older marker that arrives late", () => {
    expect(states(reduce(sent(), [moved("read", 3), moved("read", 1)]))).toEqual(["read", "read", "read"]);
  });

  it("does not change with the user's own marker", () => {
    expect(states(reduce(sent(), [moved("read", 3, "me")]))).toEqual(["sent", "sent", "sent"]);
  });

  it("follows the markers of a catch-up", () => {
    const server = aThreadState({ last_seq: 3, friend_read_seq: 1, friend_delivered_seq: 2, last_message: null });
    const state = reduce(sent(), [{ type: "threadsSynced", threads: [server] }]);
    expect(states(state)).toEqual(["read", "delivered", "sent"]);
  });

  it("ignores an older response of a catch-up", () => {
    const server = aThreadState({ last_seq: 3, last_message: null });
    const state = reduce(sent(), [moved("read", 3), { type: "threadsSynced", threads: [server] }]);
    expect(states(state)).toEqual(["read", "read", "read"]);
  });

  it("follows the read flag in a page of history", () => {
    expect(states(reduce(aState(), [received(fromMe({ seq: 1, read: true }), fromMe({ seq: 2 }))]))).toEqual([
      "read",
      "sent",
    ]);
  });

  it("does not apply to the friend's messages", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 1 })] }), [moved("read", 1)]);
    expect(states(state)).toEqual([null]);
  });

  it("ignores a marker of an unknown thread", () => {
    const state = sent();
    const unknown: ChatAction = { type: "markerMoved", kind: "read", threadId: "other", userId: "bob", seq: 9 };
    expect(reduce(state, [unknown])).toBe(state);
  });
});
