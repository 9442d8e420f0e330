import type { ThreadState } from "@messageoh/contracts/messages";
import {
  aMessage,
  aState,
  aThreadState,
  messagesBetween,
  pageLoaded,
  received,
  reduce,
  seqs,
  shown,
  WITH_BOB,
} from "../../testing/builders.ts";
import type { ChatAction } from "./chatReducer.ts";
import type { ChatState } from "./chatState.ts";
import { hasGap } from "./thread/window.ts";

const hide = (seq: number, hidden = true): ChatAction => ({
  type: "messageMarked",
  change: { thread_id: WITH_BOB, seq, hidden },
});
const listed = (parts: Partial<ThreadState>, marksFrom?: number): ChatAction => ({
  type: "threadsSynced",
  threads: [aThreadState({ last_seq: 5, ...parts })],
  marksFrom,
});
const pending = (...hidden: boolean[]): ChatAction => ({
  type: "pendingChanged",
  pending: hidden.map((is, index) => ({
    ...{ kind: "hide", op_id: `${index}`, thread_id: WITH_BOB, queued_at: index, seq: 5, hidden: is },
  })),
});
const page = (messages = messagesBetween(1, 5), finalSeq = 5): ChatAction => ({
  type: "pageLoaded",
  threadId: WITH_BOB,
  messages,
  place: "newest",
  request: { limit: 50, finalSeq },
});
const lastSeq = (state: ChatState) => shown(state).thread.lastMessage?.seq;
const threadOf = (state: ChatState) => state.threads.get(WITH_BOB);

/** Returns the state with the five messages of Bob's thread, three of them unread. */
const aThread = (...actions: ChatAction[]) =>
  reduce(aState({ threads: [aThreadState({ last_seq: 5, read_seq: 2 })] }), [
    pageLoaded(messagesBetween(1, 5)),
    ...actions,
  ]);

describe("a hidden message", () => {
  it("is not shown, also not as the last one, and leaves the unread count as it is", () => {
    const state = aThread(hide(2), hide(5));
    expect([seqs(state), lastSeq(state)]).toEqual([[1, 3, 4], 4]);
    expect(shown(state).thread.unreadCount).toBe(3);
  });

  it("is shown again, where it was", () => {
    const state = aThread(hide(2), hide(5), hide(2, false), hide(5, false));
    expect([seqs(state), lastSeq(state)]).toEqual([[1, 2, 3, 4, 5], 5]);
  });

  it("is not shown before the server has confirmed it; the last change decides", () => {
    expect([seqs(aThread(pending(true))), lastSeq(aThread(pending(true)))]).toEqual([[1, 2, 3, 4], 4]);
    expect(seqs(aThread(pending(true, false)))).toEqual([1, 2, 3, 4, 5]);
    expect(seqs(aThread(hide(5), pending(false)))).toEqual([1, 2, 3, 4, 5]);
  });

  it("stays hidden when the friend changes it", () => {
    const edited = aMessage({ seq: 2, change: 1, text: "New" });
    expect(seqs(aThread(hide(2), { type: "messagesChanged", messages: [edited] }))).toEqual([1, 3, 4, 5]);
  });

  it("is known from the list of threads, before or after it is loaded", () => {
    expect(seqs(aThread(listed({ hidden: [2] })))).toEqual([1, 3, 4, 5]);
    expect(seqs(aThread(listed({ hidden: [2] }), listed({})))).toEqual([1, 2, 3, 4, 5]);
    expect(seqs(aThread(listed({ hidden: [6], last_seq: 6 }), received(aMessage({ seq: 6 }))))).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it("is not changed by a list of threads that was requested before", () => {
    expect(seqs(aThread(hide(1), hide(2), listed({ hidden: [1] }, 1)))).toEqual([3, 4, 5]);
    expect(seqs(aThread(hide(2), hide(2, false), listed({ hidden: [2] }, 1)))).toEqual([1, 2, 3, 4, 5]);
  });

  it("keeps the identity of a thread whose list has not changed", () => {
    const state = aThread(listed({ hidden: [2, 3] }));
    expect(threadOf(reduce(state, [listed({ hidden: [3, 2] })]))).toBe(threadOf(state));
  });
});

describe("hidden messages that the server leaves out", () => {
  const start = (hidden: number[]) =>
    aState({ threads: [aThreadState({ last_seq: 5, hidden, last_message: null })], openFriendId: "bob" });

  it.each([
    ["in the middle", [2], [1, 3, 4, 5]],
    ["at the end", [4, 5], [1, 2, 3]],
    ["that are all", [1, 2, 3, 4, 5], []],
  ])("%s are no gap", (_, hidden, rest) => {
    const left = messagesBetween(1, 5).filter(({ seq }) => !hidden.includes(seq));
    const state = reduce(start(hidden), [page(left)]);
    expect(shown(state).thread).toMatchObject({ isLoaded: true, hasOlder: false, isGapLoading: false });
    expect(seqs(state)).toEqual(rest);
    expect(seqs(reduce(state, [received(aMessage({ seq: 6 }))]))).toEqual([...rest, 6]);
  });

  it("are a gap when another device shows them again", () => {
    const left = messagesBetween(1, 5).filter(({ seq }) => seq !== 3);
    const state = reduce(start([3]), [page(left), hide(3, false)]);
    const thread = threadOf(state);
    expect(thread && [hasGap(thread), thread.knownSeq]).toEqual([true, 2]);
    const request = { after: 2, limit: 200, finalSeq: 2 };
    const filled = reduce(state, [{ type: "messagesReceived", messages: messagesBetween(3, 5), request }]);
    expect(seqs(filled)).toEqual([1, 2, 3, 4, 5]);
    expect(shown(filled).thread.isGapLoading).toBe(false);
  });
});

describe("a starred message", () => {
  const star = (seq: number, starred = true): ChatAction => ({
    type: "messageMarked",
    change: { thread_id: WITH_BOB, seq, starred },
  });
  const pendingStar = (seq: number, starred: boolean): ChatAction => ({
    type: "pendingChanged",
    pending: [{ kind: "star", op_id: "a", thread_id: WITH_BOB, queued_at: 1, seq, starred }],
  });
  const starred = (state: ChatState) =>
    shown(state)
      .thread.messages.filter(({ isStarred }) => isStarred)
      .map(({ seq }) => seq);

  it("has a mark until the star is removed, and stays where it is", () => {
    expect(starred(aThread(star(2), star(4)))).toEqual([2, 4]);
    expect(starred(aThread(star(2), star(2, false)))).toEqual([]);
    expect(seqs(aThread(star(2)))).toEqual([1, 2, 3, 4, 5]);
  });

  it("has a mark before the server has confirmed it", () => {
    expect(starred(aThread(pendingStar(2, true)))).toEqual([2]);
    expect(starred(aThread(star(2), pendingStar(2, false)))).toEqual([]);
  });

  it("has no mark once it is deleted", () => {
    const deleted = aMessage({ seq: 2, change: 1, text: "deleted", deleted_at: "2026-01-01T00:00:00.000Z" });
    expect(starred(aThread(star(2), { type: "messagesChanged", messages: [deleted] }))).toEqual([]);
  });

  it("is known from the list of threads, unless this was requested before", () => {
    expect(starred(aThread(listed({ starred: [3] })))).toEqual([3]);
    expect(starred(aThread(star(3), listed({})))).toEqual([]);
    expect(starred(aThread(star(1), star(2), listed({ starred: [1] }, 1)))).toEqual([1, 2]);
  });

  it("keeps the identity of a thread whose list has not changed", () => {
    const state = aThread(listed({ starred: [2, 3] }));
    expect(threadOf(reduce(state, [listed({ starred: [3, 2] })]))).toBe(threadOf(state));
  });
});
