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

describe("states of own messages", () => {
  it("are sent once they are stored", () => {
    expect(states(sent())).toEqual(["sent", "sent", "sent"]);
  });

  it("are delivered up to the friend's marker", () => {
    expect(states(reduce(sent(), [moved("delivered", 2)]))).toEqual(["delivered", "delivered", "sent"]);
  });

  it("are read up to the friend's marker, also without a receipt before", () => {
    expect(states(reduce(sent(), [moved("read", 2)]))).toEqual(["read", "read", "sent"]);
  });

  it("do not go back from read to delivered", () => {
    expect(states(reduce(sent(), [moved("read", 3), moved("delivered", 3)]))).toEqual(["read", "read", "read"]);
  });

  it("do not go back when an older marker comes late", () => {
    expect(states(reduce(sent(), [moved("read", 3), moved("read", 1)]))).toEqual(["read", "read", "read"]);
  });

  it("do not change when the user's own marker moves", () => {
    expect(states(reduce(sent(), [moved("read", 3, "me")]))).toEqual(["sent", "sent", "sent"]);
  });

  it("follow the markers that catching up brings", () => {
    const server = aThreadState({ last_seq: 3, friend_read_seq: 1, friend_delivered_seq: 2, last_message: null });
    const state = reduce(sent(), [{ type: "threadsSynced", threads: [server] }]);
    expect(states(state)).toEqual(["read", "delivered", "sent"]);
  });

  it("do not go back when catching up brings an older answer", () => {
    const server = aThreadState({ last_seq: 3, last_message: null });
    const state = reduce(sent(), [moved("read", 3), { type: "threadsSynced", threads: [server] }]);
    expect(states(state)).toEqual(["read", "read", "read"]);
  });

  it("follow the read flag of a page of history", () => {
    expect(states(reduce(aState(), [received(fromMe({ seq: 1, read: true }), fromMe({ seq: 2 }))]))).toEqual([
      "read",
      "sent",
    ]);
  });

  it("are no matter of the friend's messages", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 1 })] }), [moved("read", 1)]);
    expect(states(state)).toEqual([null]);
  });

  it("ignore a marker of a thread that is not known", () => {
    const state = sent();
    const unknown: ChatAction = { type: "markerMoved", kind: "read", threadId: "other", userId: "bob", seq: 9 };
    expect(reduce(state, [unknown])).toBe(state);
  });
});
