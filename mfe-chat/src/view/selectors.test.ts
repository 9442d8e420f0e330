import {
  aMessage,
  aState,
  aThreadState,
  fromMe,
  messagesBetween,
  received,
  reduce,
  WITH_BOB,
} from "../../testing/builders.ts";
import { createSelectSnapshot } from "./selectors.ts";

const FRIENDS = 500;
const MESSAGES = 10_000;

describe("what is shown", () => {
  it("is the same object for the same state", () => {
    const select = createSelectSnapshot("me");
    const state = aState();
    expect(select(state)).toBe(select(state));
  });

  it("keeps the entries of friends whom a change does not concern", () => {
    const select = createSelectSnapshot("me");
    const before = select(aState());
    const after = select(reduce(aState(), [received(aMessage())]));
    const entry = (snapshot: typeof before, id: string) => snapshot.friends.find(({ friend }) => friend.id === id);
    expect(entry(after, "bob")).not.toBe(entry(before, "bob"));
    const cleo = reduce(aState(), [received(aMessage())]);
    expect(entry(select(reduce(cleo, [received(aMessage({ seq: 2 }))])), "cleo")).toBe(entry(select(cleo), "cleo"));
  });

  it("keeps the list of friends while only the connection changes", () => {
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

  it("keeps the messages that were there when one is added", () => {
    const select = createSelectSnapshot("me");
    const state = reduce(aState(), [received(aMessage())]);
    const before = select(state).friends[0]?.thread.messages[0];
    const after = select(reduce(state, [received(aMessage({ seq: 2 }))])).friends[0]?.thread.messages[0];
    expect(after).toBe(before);
  });

  it("makes anew only the own messages whose state changed", () => {
    const select = createSelectSnapshot("me");
    const state = reduce(aState(), [received(fromMe({ seq: 1 }), fromMe({ seq: 2 }))]);
    const before = select(state).friends[0]?.thread.messages ?? [];
    const moved = { type: "markerMoved", kind: "read", threadId: WITH_BOB, userId: "bob", seq: 1 } as const;
    const after = select(reduce(state, [moved])).friends[0]?.thread.messages ?? [];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  it("keeps everything when catching up brings nothing new", () => {
    const state = reduce(aState(), [received(aMessage())]);
    const server = aThreadState({ last_seq: 1, read_seq: 0 });
    const once = reduce(state, [{ type: "threadsSynced", threads: [server] }]);
    expect(reduce(once, [{ type: "threadsSynced", threads: [server] }]).threads).toBe(once.threads);
  });

  it("names the open thread, once its friend is known", () => {
    const select = createSelectSnapshot("me");
    expect(select(aState({ openFriendId: "bob" })).active?.friend.id).toBe("bob");
    expect(select(aState({ openFriendId: "nobody" })).active).toBeNull();
  });

  it("takes far less than a long task with 500 friends and 10,000 messages", () => {
    const friends = Array.from({ length: FRIENDS }, (_, n) => ({ id: `f${n}`, name: `F ${n}`, avatar_id: "cat-id" }));
    const threads = friends.map(({ id }) => aThreadState({ thread_id: `t-${id}`, friend_id: id, last_seq: 1 }));
    const select = createSelectSnapshot("me");
    let state = reduce(aState({ openFriendId: "bob" }), [
      { type: "friendsListed", friends },
      { type: "threadsSynced", threads },
      received(...messagesBetween(1, MESSAGES)),
    ]);
    select(state);
    const times: number[] = [];
    for (let seq = MESSAGES + 1; seq <= MESSAGES + 21; seq += 1) {
      const start = performance.now();
      state = reduce(state, [received(aMessage({ seq }))]);
      expect(select(state).active?.thread.messages).toHaveLength(seq);
      times.push(performance.now() - start);
    }
    // The median, and with room: what is shown here is that nothing grows out of hand, not how quick a machine is.
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(40);
  });
});
