import {
  aMessage,
  aQueued,
  aState,
  aThreadState,
  BOB,
  CLEO,
  fromCleo,
  received,
  reduce,
  shown,
  texts,
  timeOf,
  WITH_CLEO,
} from "../../testing/builders.ts";
import { viewOf } from "../../testing/chatView.ts";
import type { ChatState } from "./chatState.ts";

const DAN = { id: "dan", name: "Dan", avatar_id: "bear-id" };
const names = (state: ChatState) => viewOf(state).friends.map(({ friend }) => friend.name);

describe("friend list", () => {
  it("sorts the most recent message first", () => {
    const state = reduce(aState(), [received(aMessage({ seq: 1 }), fromCleo({ seq: 2 }))]);
    expect(names(state)).toEqual(["Cleo", "Bob"]);
    expect(names(reduce(state, [received(aMessage({ seq: 2, timestamp: timeOf(9) }))]))).toEqual(["Bob", "Cleo"]);
  });

  it("sorts friends without messages last", () => {
    expect(names(reduce(aState(), [received(fromCleo())]))).toEqual(["Cleo", "Bob"]);
  });

  it("includes an own unsent message in the order", () => {
    const waiting = aQueued({ thread_id: WITH_CLEO, recipient_user_id: "cleo" });
    const state = reduce(aState(), [received(aMessage()), { type: "outboxChanged", outbox: [waiting] }]);
    expect(names(state)).toEqual(["Cleo", "Bob"]);
  });

  it("lists a friend first whom the user has just added", () => {
    const state = reduce(aState(), [
      received(aMessage()),
      { type: "friendAdded", friend: DAN, threadId: "with-dan", isOnTop: true },
    ]);
    expect(names(state)).toEqual(["Dan", "Bob", "Cleo"]);
    expect(texts(state, "dan")).toEqual([]);
  });

  it("lists the last of two added friends first", () => {
    const eve = { ...DAN, id: "eve", name: "Eve" };
    const state = reduce(aState(), [
      { type: "friendAdded", friend: DAN, threadId: "with-dan", isOnTop: true },
      { type: "friendAdded", friend: eve, threadId: "with-eve", isOnTop: true },
    ]);
    expect(names(state).slice(0, 2)).toEqual(["Eve", "Dan"]);
  });

  it("sorts any later message above an added friend, whatever the local clock is", () => {
    const state = reduce(aState(), [
      received(aMessage({ seq: 1 })),
      { type: "friendAdded", friend: DAN, threadId: "with-dan", isOnTop: true },
      received(fromCleo({ timestamp: timeOf(2) })),
    ]);
    expect(names(state)).toEqual(["Cleo", "Dan", "Bob"]);
  });

  it("sorts a user who added this one among those without messages", () => {
    const state = reduce(aState(), [
      received(aMessage()),
      { type: "friendAdded", friend: DAN, threadId: "with-dan", isOnTop: false },
    ]);
    expect(names(state)[0]).toBe("Bob");
    expect(names(state)).toContain("Dan");
  });

  it("shows a new thread without waiting for a first page", () => {
    const state = reduce(aState(), [{ type: "friendAdded", friend: DAN, threadId: "with-dan", isOnTop: true }]);
    expect(shown(state, "dan").thread).toMatchObject({ isLoaded: true, hasOlder: false, messages: [] });
  });

  it("keeps a friend whom an older response lacks", () => {
    const state = reduce(aState(), [
      { type: "friendAdded", friend: DAN, threadId: "with-dan", isOnTop: true },
      { type: "friendsListed", friends: [BOB, CLEO] },
    ]);
    expect(names(state)).toContain("Dan");
  });

  it("shows a friend's new avatar", () => {
    const state = reduce(aState(), [{ type: "userChanged", user: { ...BOB, avatar_id: "seal-id" } }]);
    expect(shown(state).friend.avatar_id).toBe("seal-id");
  });

  it("shows the user's own new avatar", () => {
    const state = reduce(aState(), [{ type: "userChanged", user: { ...aState().me, avatar_id: "seal-id" } }]);
    expect(state.me.avatar_id).toBe("seal-id");
  });

  it("ignores a profile change of a stranger", () => {
    const state = aState();
    expect(reduce(state, [{ type: "userChanged", user: DAN }])).toBe(state);
  });

  it("shows which friends are online", () => {
    const state = reduce(aState(), [{ type: "presenceChanged", userIds: ["bob"], isOnline: true }]);
    expect(shown(state).isOnline).toBe(true);
    expect(shown(state, "cleo").isOnline).toBe(false);
  });

  it("keeps its identity if an online friend is reported online again", () => {
    const state = reduce(aState(), [{ type: "presenceChanged", userIds: ["bob"], isOnline: true }]);
    expect(reduce(state, [{ type: "presenceChanged", userIds: ["bob"], isOnline: true }])).toBe(state);
  });

  it("uses the newest message of each thread as its preview", () => {
    const state = reduce(aState({ threads: [] }), [
      { type: "previewsListed", messages: [aMessage({ seq: 7, text: "Preview" })] },
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 7 })] },
    ]);
    expect(shown(state).thread).toMatchObject({ lastMessage: { text: "Preview" }, unreadCount: 0 });
  });

  it("builds a thread without messages from its empty starting message", () => {
    const starting = aMessage({
      seq: 0,
      text: "",
      thread_id: "with-dan",
      sending_user_id: "me",
      recipient_user_id: "dan",
    });
    const state = reduce(aState(), [
      { type: "friendsListed", friends: [DAN] },
      { type: "previewsListed", messages: [starting] },
    ]);
    expect(shown(state, "dan").thread).toMatchObject({ threadId: "with-dan", messages: [], lastMessage: null });
  });
});
