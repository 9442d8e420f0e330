import { aMessage, aState, aThreadState, fromMe, received, reduce, WITH_BOB } from "../../testing/builders.ts";
import { createSelectSnapshot } from "../view/selectors.ts";

describe("view model", () => {
  it("is the same object for the same state", () => {
    const select = createSelectSnapshot("me");
    const state = aState();
    expect(select(state)).toBe(select(state));
  });

  it("keeps the entries of friends that a change does not affect", () => {
    const select = createSelectSnapshot("me");
    const before = select(aState());
    const after = select(reduce(aState(), [received(aMessage())]));
    const entry = (snapshot: typeof before, id: string) => snapshot.friends.find(({ friend }) => friend.id === id);
    expect(entry(after, "bob")).not.toBe(entry(before, "bob"));
    const cleo = reduce(aState(), [received(aMessage())]);
    expect(entry(select(reduce(cleo, [received(aMessage({ seq: 2 }))])), "cleo")).toBe(entry(select(cleo), "cleo"));
  });

  it("keeps the friend list if only the connection changes", () => {
    const select = createSelectSnapshot("me");
    const state = aState();
    const { friends } = select(state);
    expect(select(reduce(state, [{ type: "connectionChanged", connection: "offline", reason: null }])).friends).toBe(
      friends,
    );
  });

  it("keeps the messages while the friend is typing", () => {
    const select = createSelectSnapshot("me");
    const state = reduce(aState(), [received(aMessage()), { type: "friendOpened", friendId: "bob" }]);
    const { active } = select(state);
    const typing = select(reduce(state, [{ type: "typingChanged", threadId: WITH_BOB, isTyping: true }])).active;
    expect(typing?.thread.isFriendTyping).toBe(true);
    expect(typing?.thread.messages).toBe(active?.thread.messages);
  });

  it("keeps the existing messages when one is added", () => {
    const select = createSelectSnapshot("me");
    const state = reduce(aState(), [received(aMessage())]);
    const before = select(state).friends[0]?.thread.messages[0];
    const after = select(reduce(state, [received(aMessage({ seq: 2 }))])).friends[0]?.thread.messages[0];
    expect(after).toBe(before);
  });

  it("recreates only the own messages whose state changed", () => {
    const select = createSelectSnapshot("me");
    const state = reduce(aState(), [received(fromMe({ seq: 1 }), fromMe({ seq: 2 }))]);
    const before = select(state).friends[0]?.thread.messages ?? [];
    const moved = { type: "markerMoved", kind: "read", threadId: WITH_BOB, userId: "bob", seq: 1 } as const;
    const after = select(reduce(state, [moved])).friends[0]?.thread.messages ?? [];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  it("keeps everything if a catch-up brings nothing new", () => {
    const state = reduce(aState(), [received(aMessage())]);
    const server = aThreadState({ last_seq: 1, read_seq: 0 });
    const once = reduce(state, [{ type: "threadsSynced", threads: [server] }]);
    expect(reduce(once, [{ type: "threadsSynced", threads: [server] }]).threads).toBe(once.threads);
  });

  it("contains the open thread when its friend is known", () => {
    const select = createSelectSnapshot("me");
    expect(select(aState({ openFriendId: "bob" })).active?.friend.id).toBe("bob");
    expect(select(aState({ openFriendId: "nobody" })).active).toBeNull();
  });
});
