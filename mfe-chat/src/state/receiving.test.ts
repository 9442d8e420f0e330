import {
  aMessage,
  aState,
  aThreadState,
  BOB,
  fromCleo,
  fromMe,
  messagesBetween,
  pageLoaded,
  received,
  reduce,
  seqs,
  shown,
  texts,
  WITH_BOB,
} from "../../testing/builders.ts";

/** Bob's open thread with the first ten messages. */
const opened = () =>
  reduce(aState({ threads: [aThreadState({ last_seq: 10 })] }), [
    { type: "friendOpened", friendId: "bob" },
    pageLoaded(messagesBetween(1, 10)),
  ]);

describe("receiving messages", () => {
  it("adds a message to its thread", () => {
    const state = reduce(aState(), [
      received(aMessage({ seq: 1, text: "Hi" }), fromCleo({ seq: 1, text: "Hey" }), aMessage({ seq: 2, text: "Ho" })),
    ]);
    expect(texts(state)).toEqual(["Hi", "Ho"]);
    expect(texts(state, "cleo")).toEqual(["Hey"]);
  });

  it("sorts messages by their numbers in whatever order they arrive", () => {
    const state = reduce(opened(), [received(aMessage({ seq: 12 })), received(aMessage({ seq: 11 }))]);
    expect(seqs(state)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it("adds a message once that arrives live and by request", () => {
    const state = reduce(opened(), [received(aMessage({ seq: 11 })), received(...messagesBetween(10, 11))]);
    expect(seqs(state)).toHaveLength(11);
  });

  it("keeps the state if a message arrives again", () => {
    const state = reduce(opened(), [received(aMessage({ seq: 11 }))]);
    expect(reduce(state, [received(aMessage({ seq: 11 }))])).toBe(state);
  });

  it("holds messages beyond a gap back and reports that the gap is loading", () => {
    const { thread } = shown(reduce(opened(), [received(aMessage({ seq: 12 }))]));
    expect(thread.messages.at(-1)?.seq).toBe(10);
    expect(thread.isGapLoading).toBe(true);
  });

  it("shows everything when the gap is filled", () => {
    const state = reduce(opened(), [received(aMessage({ seq: 13 })), received(...messagesBetween(11, 12))]);
    expect(seqs(state).slice(-3)).toEqual([11, 12, 13]);
    expect(shown(state).thread.isGapLoading).toBe(false);
  });

  it("shows the preview of a message beyond a gap", () => {
    const state = reduce(opened(), [received(aMessage({ seq: 12, text: "Newest" }))]);
    expect(shown(state).thread.lastMessage?.text).toBe("Newest");
  });

  it("keeps an own message visible that is stored beyond a gap", () => {
    const { thread } = shown(reduce(opened(), [received(fromMe({ seq: 12, text: "Mine" }))]));
    expect(thread.messages.at(-1)).toMatchObject({ text: "Mine", sendState: "sent" });
  });

  it("closes a gap that the server does not know of", () => {
    const state = reduce(opened(), [
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 12, last_message: null })] },
      { type: "gapDenied", threadId: WITH_BOB, seq: 10 },
    ]);
    expect(shown(state).thread.isGapLoading).toBe(false);
  });

  it("keeps a gap below a message that it has", () => {
    const state = reduce(opened(), [
      received(aMessage({ seq: 12 })),
      { type: "gapDenied", threadId: WITH_BOB, seq: 10 },
    ]);
    expect(shown(state).thread.isGapLoading).toBe(true);
  });

  it("hides messages without text", () => {
    expect(texts(reduce(aState(), [received(aMessage({ seq: 1, text: "" }))]))).toEqual([]);
  });

  it("adds a message of a friend who is not listed yet", () => {
    const stranger = aMessage({ thread_id: "with-dan", sending_user_id: "dan", seq: 1, text: "I am new" });
    const state = reduce(aState(), [
      received(stranger),
      { type: "friendsListed", friends: [BOB, { id: "dan", name: "Dan", avatar_id: "fox-id" }] },
    ]);
    expect(texts(state, "dan")).toEqual(["I am new"]);
    expect(shown(state, "dan").thread).toMatchObject({ threadId: "with-dan", friendId: "dan" });
  });

  it("takes the friend of an own message from its recipient", () => {
    const own = fromMe({ thread_id: "with-dan", recipient_user_id: "dan", seq: 1 });
    const dan = { id: "dan", name: "Dan", avatar_id: "fox-id" };
    const state = reduce(aState(), [received(own), { type: "friendsListed", friends: [BOB, dan] }]);
    expect(shown(state, "dan").thread).toMatchObject({
      threadId: "with-dan",
      friendId: "dan",
      messages: [{ text: own.text, isMine: true }],
    });
  });

  it("ends the friend's typing on their message", () => {
    const typing = reduce(aState(), [{ type: "typingChanged", threadId: WITH_BOB, isTyping: true }]);
    expect(shown(typing).thread.isFriendTyping).toBe(true);
    expect(shown(reduce(typing, [received(aMessage())])).thread.isFriendTyping).toBe(false);
  });

  it("does not end the friend's typing on an own message", () => {
    const typing = reduce(aState(), [{ type: "typingChanged", threadId: WITH_BOB, isTyping: true }]);
    expect(shown(reduce(typing, [received(fromMe())])).thread.isFriendTyping).toBe(true);
  });
});
