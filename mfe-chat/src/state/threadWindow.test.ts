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
import type { PagePlace } from "./thread/threadRules.ts";

const open: ChatAction = { type: "friendOpened", friendId: "bob" };
const page = (from: number, to: number, place: PagePlace) => pageLoaded(messagesBetween(from, to), place);
/** A thread of a thousand messages, opened at its newest page. */
const longThread = () =>
  reduce(aState({ threads: [aThreadState({ last_seq: 1000 })] }), [open, page(951, 1000, "newest")]);
const jumped = () => reduce(longThread(), [page(300, 349, { around: 325 })]);

describe("window of history", () => {
  it("is not loaded before its first page", () => {
    expect(shown(reduce(aState({ threads: [aThreadState({ last_seq: 1000 })] }), [open])).thread.isLoaded).toBe(false);
  });

  it("is loaded without a request if there are no messages", () => {
    expect(shown(reduce(aState(), [open])).thread.isLoaded).toBe(true);
  });

  it("is loaded without a request if the preview is the only message", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 1 })] }), [open]);
    expect(shown(state).thread).toMatchObject({ isLoaded: true, hasOlder: false });
  });

  it("shows the newest page and that older messages exist", () => {
    expect(seqs(longThread())).toHaveLength(50);
    expect(shown(longThread()).thread).toMatchObject({ isLoaded: true, hasOlder: true, hasNewer: false });
  });

  it("grows with older pages up to the first message", () => {
    const state = reduce(longThread(), [page(901, 950, "more")]);
    expect(seqs(state)).toHaveLength(100);
    expect(shown(reduce(state, [page(1, 900, "more")])).thread.hasOlder).toBe(false);
  });

  it("is separate after a jump, with more messages on both sides", () => {
    expect(seqs(jumped())[0]).toBe(300);
    expect(shown(jumped()).thread).toMatchObject({ hasOlder: true, hasNewer: true });
  });

  it("does not show live messages inside the window of a jump", () => {
    const state = reduce(jumped(), [received(aMessage({ seq: 1001 }))]);
    expect(seqs(state).at(-1)).toBe(349);
    expect(shown(state).thread.lastMessage?.seq).toBe(1001);
  });

  it("joins the newest window when they touch", () => {
    const state = reduce(jumped(), [page(350, 549, "more"), page(550, 749, "more"), page(750, 950, "more")]);
    expect(seqs(state)).toHaveLength(701);
    expect(shown(state).thread.hasNewer).toBe(false);
    expect(state.threads.get(WITH_BOB)?.viewSeq).toBeNull();
  });

  it("joins the newest window when a page overlaps it", () => {
    const state = reduce(jumped(), [page(350, 960, "more")]);
    expect(seqs(state).at(-1)).toBe(1000);
  });

  it("returns to the newest messages", () => {
    const state = reduce(jumped(), [{ type: "viewMoved", threadId: WITH_BOB, seq: null }]);
    expect(seqs(state)[0]).toBe(951);
  });

  it("returns to a window that is still loaded", () => {
    const state = reduce(jumped(), [
      { type: "viewMoved", threadId: WITH_BOB, seq: null },
      { type: "viewMoved", threadId: WITH_BOB, seq: 310 },
    ]);
    expect(seqs(state)[0]).toBe(300);
  });

  it("starts at the newest messages when the thread is opened again", () => {
    const state = reduce(jumped(), [{ type: "friendOpened", friendId: "cleo" }, open]);
    expect(seqs(state)[0]).toBe(951);
  });

  it("has a gap if the newest page is older than live messages", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 60 })] }), [
      open,
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 64 })] },
      page(11, 60, "newest"),
    ]);
    expect(shown(state).thread).toMatchObject({ isGapLoading: true });
    expect(shown(reduce(state, [received(...messagesBetween(61, 64))])).thread.isGapLoading).toBe(false);
  });

  it("includes live messages that arrive during the request of the newest page", () => {
    const state = reduce(aState({ threads: [aThreadState({ last_seq: 60 })] }), [
      open,
      received(aMessage({ seq: 61 })),
      page(11, 60, "newest"),
    ]);
    expect(seqs(state).at(-1)).toBe(61);
    expect(shown(state).thread.isGapLoading).toBe(false);
  });

  it("restarts at the newest page if too much is missing", () => {
    const state = reduce(longThread(), [
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 9000, read_seq: 9000 })] },
      page(8951, 9000, "newest"),
    ]);
    expect(seqs(state)[0]).toBe(8951);
    expect(shown(state).thread).toMatchObject({ hasOlder: true, isGapLoading: false });
  });

  it("reports a page that cannot be loaded until it is requested again", () => {
    const failed = reduce(longThread(), [{ type: "pageFailed", threadId: WITH_BOB }]);
    expect(shown(failed).thread.loadError).toBe(true);
    expect(shown(reduce(failed, [{ type: "pageStarted", threadId: WITH_BOB }])).thread.loadError).toBe(false);
  });

  it("treats a repeated jump as a new one", () => {
    const jump: ChatAction = { type: "jumped", threadId: WITH_BOB, key: "with-bob-325" };
    const first = reduce(jumped(), [jump]);
    expect(reduce(first, [jump]).jump?.nonce).toBe((first.jump?.nonce ?? 0) + 1);
  });
});
