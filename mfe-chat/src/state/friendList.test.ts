import { aMessage, aState, aThreadState, fromMe, received, reduce, WITH_BOB } from "../../testing/builders.ts";
import type { ChatState } from "./chatState.ts";
import { activeThread, friendThreads } from "./friendList.ts";
import { shownMessages } from "./thread/shownMessages.ts";

const threadOf = (state: ChatState, id: string) => friendThreads(state).find(({ friendId }) => friendId === id);
const messagesOf = (state: ChatState) => friendThreads(state).flatMap(shownMessages);

describe("what the views select", () => {
  it("is the same list for the same state", () => {
    const state = aState();
    expect(friendThreads(state)).toBe(friendThreads(state));
  });

  it("keeps the threads of friends that a change does not affect", () => {
    const before = reduce(aState(), [received(aMessage())]);
    const after = reduce(before, [received(aMessage({ seq: 2 }))]);
    expect(threadOf(after, "bob")).not.toBe(threadOf(before, "bob"));
    expect(threadOf(after, "cleo")).toBe(threadOf(before, "cleo"));
  });

  it("keeps the friend list if only the connection changes", () => {
    const state = aState();
    const offline = reduce(state, [{ type: "connectionChanged", connection: "offline", reason: null }]);
    expect(friendThreads(offline)).toBe(friendThreads(state));
  });

  it("keeps the open thread while the friend is typing", () => {
    const state = reduce(aState(), [received(aMessage()), { type: "friendOpened", friendId: "bob" }]);
    const typing = reduce(state, [{ type: "typingChanged", threadId: WITH_BOB, isTyping: true }]);
    expect(typing.typingIn.has(WITH_BOB)).toBe(true);
    expect(activeThread(typing)).toBe(activeThread(state));
  });

  it("keeps the existing messages when one is added", () => {
    const state = reduce(aState(), [received(aMessage())]);
    const [before] = messagesOf(state);
    const [after] = messagesOf(reduce(state, [received(aMessage({ seq: 2 }))]));
    expect(before).toBeDefined();
    expect(after).toBe(before);
  });

  it("recreates only the own messages whose state changed", () => {
    const state = reduce(aState(), [received(fromMe({ seq: 1 }), fromMe({ seq: 2 }))]);
    const before = messagesOf(state);
    const moved = { type: "markerMoved", kind: "read", threadId: WITH_BOB, userId: "bob", seq: 1 } as const;
    const after = messagesOf(reduce(state, [moved]));
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
    expect(activeThread(aState({ openFriendId: "bob" }))?.friendId).toBe("bob");
    expect(activeThread(aState({ openFriendId: "nobody" }))).toBeUndefined();
  });
});
