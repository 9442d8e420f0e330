import {
  aMessage,
  aState,
  aThreadState,
  fromCleo,
  fromMe,
  messagesBetween,
  pageLoaded,
  received,
  reduce,
  shown,
  WITH_BOB,
} from "../../testing/builders.ts";
import type { ChatAction } from "./chatReducer.ts";
import type { ChatState } from "./chatState.ts";
import { totalUnread } from "./friendList.ts";

const unread = (state: ChatState, friendId = "bob") => shown(state, friendId).thread.unreadCount;
const open = (friendId: string | null): ChatAction => ({ type: "friendOpened", friendId });
const ownRead = (seq: number): ChatAction => ({
  type: "markerMoved",
  kind: "read",
  threadId: WITH_BOB,
  userId: "me",
  seq,
});

describe("unread", () => {
  it("starts with the server's count", () => {
    expect(unread(aState({ threads: [aThreadState({ last_seq: 9, read_seq: 5, unread_count: 3 })] }))).toBe(3);
  });

  it("counts a message that is received while another thread is open", () => {
    expect(unread(reduce(aState(), [open("cleo"), received(aMessage())]))).toBe(1);
  });

  it("counts a message that is received while no thread is open", () => {
    expect(unread(reduce(aState(), [received(aMessage())]))).toBe(1);
  });

  it("marks a message read at once in the open, visible thread", () => {
    const state = reduce(aState(), [open("bob"), received(aMessage())]);
    expect(unread(state)).toBe(0);
    expect(state.threads.get(WITH_BOB)?.readSeq).toBe(1);
  });

  it("counts a message that is received in the open thread of a hidden page", () => {
    const state = reduce(aState(), [
      open("bob"),
      { type: "visibilityChanged", isVisible: false },
      received(aMessage()),
    ]);
    expect(unread(state)).toBe(1);
  });

  it("marks the open thread read when the page becomes visible", () => {
    const state = reduce(aState(), [
      open("bob"),
      { type: "visibilityChanged", isVisible: false },
      received(aMessage()),
      { type: "visibilityChanged", isVisible: true },
    ]);
    expect(unread(state)).toBe(0);
    expect(shown(state).thread.firstUnreadSeq).toBe(1);
  });

  it("never counts own messages", () => {
    expect(unread(reduce(aState(), [received(fromMe({ seq: 1 }), fromMe({ seq: 2 }))]))).toBe(0);
  });

  it("marks a whole thread read when it is opened, before any request", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 500, read_seq: 20 })] }), [open("bob")]);
    expect(unread(state)).toBe(0);
    expect(state.threads.get(WITH_BOB)).toMatchObject({ readSeq: 500, serverReadSeq: 20 });
  });

  it("marks a thread read that the URL named before it was loaded", () => {
    const state = aState({ threads: [aThreadState({ last_seq: 5, read_seq: 2 })], openFriendId: "bob" });
    expect(unread(state)).toBe(0);
    expect(shown(state).thread.firstUnreadSeq).toBe(3);
  });

  it("keeps the number of the messages that were unread when the thread was opened", () => {
    const newCount = (state: ChatState) => state.threads.get(WITH_BOB)?.newCount;
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 5, read_seq: 2 })] }), [open("bob")]);
    expect(newCount(reduce(state, [received(aMessage({ seq: 6 }))]))).toBe(3);
    expect(newCount(reduce(state, [open(null), open("bob")]))).toBe(0);
  });

  it("keeps a thread unread that is opened on a hidden page", () => {
    const threads = [aThreadState({ last_seq: 5, read_seq: 2 })];
    expect(unread(aState({ threads, openFriendId: "bob", isVisible: false }))).toBe(3);
  });

  it("does not count a live message that the server has counted before", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 3, read_seq: 2 })] }), [
      received(aMessage({ seq: 3 })),
    ]);
    expect(unread(state)).toBe(1);
  });

  it("adds live messages to the server's count", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 3, read_seq: 1 })] }), [
      received(aMessage({ seq: 4 }), aMessage({ seq: 5 })),
    ]);
    expect(unread(state)).toBe(4);
  });

  it("is correct after a catch-up", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 3, read_seq: 3 })] }), [
      received(aMessage({ seq: 4 })),
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 9, read_seq: 3 })] },
    ]);
    expect(unread(state)).toBe(6);
  });

  it("ignores a response that is older than live messages", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 3, read_seq: 3 })] }), [
      received(...messagesBetween(4, 6)),
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 4, read_seq: 3 })] },
    ]);
    expect(unread(state)).toBe(3);
  });

  it("ignores a response from before the thread was opened", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 5, read_seq: 2 })] }), [
      open("bob"),
      open(null),
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 5, read_seq: 2 })] },
    ]);
    expect(unread(state)).toBe(0);
  });

  it("clears when another tab reads the thread", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 5, read_seq: 2 })] }), [ownRead(5)]);
    expect(unread(state)).toBe(0);
  });

  it("does not count a message that another tab read before", () => {
    expect(unread(reduce(aState(), [ownRead(1), received(aMessage())]))).toBe(0);
  });

  it("counts the remaining messages when another tab reads some of them", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 9, read_seq: 4 })] }), [
      pageLoaded(messagesBetween(1, 9)),
      ownRead(7),
    ]);
    expect(unread(state)).toBe(2);
  });

  it("excludes own messages when another tab reads some messages", () => {
    const page = [...messagesBetween(1, 7), fromMe({ seq: 8 }), aMessage({ seq: 9 })];
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 9, read_seq: 4, unread_count: 4 })] }), [
      pageLoaded(page),
      ownRead(7),
    ]);
    expect(unread(state)).toBe(1);
  });

  it("is limited by the numbers above the read marker if it cannot count exactly", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 100, read_seq: 10 })] }), [ownRead(98)]);
    expect(unread(state)).toBe(2);
  });

  it("never decreases the read marker", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 9, read_seq: 9 })] }), [ownRead(3)]);
    expect(state.threads.get(WITH_BOB)?.readSeq).toBe(9);
  });

  it("counts messages that arrive after the thread was left", () => {
    const state = reduce(aState(), [open("bob"), received(aMessage()), open(null), received(aMessage({ seq: 2 }))]);
    expect(unread(state)).toBe(1);
  });

  it("counts a message beyond a gap", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 3 })] }), [received(aMessage({ seq: 5 }))]);
    expect(unread(state)).toBe(1);
  });

  it("sums all threads", () => {
    const state = reduce(aState(), [received(aMessage({ seq: 1 }), aMessage({ seq: 2 }), fromCleo({ seq: 1 }))]);
    expect(totalUnread(state)).toBe(3);
  });

  it("places the line before the friend's first message, not before own ones", () => {
    const page = [...messagesBetween(1, 4), fromMe({ seq: 5 }), ...messagesBetween(6, 8)];
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 8, read_seq: 4, unread_count: 3 })] }), [
      open("bob"),
      pageLoaded(page),
    ]);
    expect(shown(state).thread.firstUnreadSeq).toBe(6);
  });

  it("keeps the position of the line while messages arrive", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 5, read_seq: 2 })] }), [
      open("bob"),
      received(aMessage({ seq: 6 })),
    ]);
    expect(shown(state).thread.firstUnreadSeq).toBe(3);
  });

  it("removes the line when the thread is left", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 5, read_seq: 2 })] }), [
      open("bob"),
      open("cleo"),
    ]);
    expect(shown(state).thread.firstUnreadSeq).toBeNull();
  });

  it("has no line in a thread without unread messages", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 5 })] }), [open("bob")]);
    expect(shown(state).thread.firstUnreadSeq).toBeNull();
  });
});
