import { ApiError } from "@messageoh/contracts/client";
import type { Message } from "@messageoh/contracts/messages";
import {
  aMessage,
  aState,
  aThreadState,
  messagesBetween,
  reduce,
  seqs,
  shown,
  WITH_BOB,
} from "../../testing/builders.ts";
import { createStore } from "../state/store.ts";
import type { Page } from "./chatApi.ts";
import { createHistory } from "./history.ts";

/** Returns Bob's thread of `last` messages, read up to `read`, and a server that has all of them. */
function aThread({ last = 1000, read = last, isOpen = true }: { last?: number; read?: number; isOpen?: boolean } = {}) {
  const server = { isUp: true, calls: [] as Page[], delayOf: (_: Page) => 0, absent: [] as number[] };
  const api = {
    async page(_: string, range: Page): Promise<Message[]> {
      server.calls.push(range);
      const delay = server.delayOf(range);
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      if (!server.isUp) throw new ApiError(0);
      const { before = last + 1, after, limit = 50 } = range;
      const from = after === undefined ? before - limit : after + 1;
      const to = Math.min(last, from + limit - 1);
      return messagesBetween(Math.max(1, from), to).filter(({ seq }) => !server.absent.includes(seq));
    },
    async pinned(): Promise<Message[]> {
      if (!server.isUp) throw new ApiError(0);
      return messagesBetween(7, 7);
    },
  };
  const loaded = aState({ threads: [aThreadState({ last_seq: last, read_seq: read })] });
  const store = createStore(isOpen ? reduce(loaded, [{ type: "friendOpened", friendId: "bob" }]) : loaded);
  const shownSeqs = () => seqs(store.get());
  return {
    history: createHistory({ api, store }),
    server,
    store,
    thread: () => shown(store.get()).thread,
    shownRange: () => [shownSeqs()[0], shownSeqs().at(-1)],
  };
}

describe("history", () => {
  beforeEach(() => jest.spyOn(console, "warn").mockImplementation(() => undefined));
  afterEach(() => jest.restoreAllMocks());

  it("opens a thread at its newest page", async () => {
    const { history, shownRange, thread } = aThread();
    await history.ensureOpen();
    expect(shownRange()).toEqual([951, 1000]);
    expect(thread().isLoaded).toBe(true);
  });

  it("requests nothing while no thread is open", async () => {
    const { history, server } = aThread({ isOpen: false });
    await history.ensureOpen();
    expect(server.calls).toEqual([]);
  });

  it("requests a page once for several simultaneous calls", async () => {
    const { history, server } = aThread();
    await Promise.all([history.ensureOpen(), history.ensureOpen()]);
    await history.ensureOpen();
    expect(server.calls).toHaveLength(1);
  });

  it("opens at the newest page if it contains all unread messages", async () => {
    const { history, shownRange, thread } = aThread({ read: 960 });
    await history.ensureOpen();
    expect(shownRange()).toEqual([951, 1000]);
    expect(thread().firstUnreadSeq).toBe(961);
  });

  it("opens around the first unread message if the unread ones exceed a page", async () => {
    const { history, shownRange, thread } = aThread({ read: 700 });
    await history.ensureOpen();
    expect(shownRange()).toEqual([691, 740]);
    expect(thread()).toMatchObject({ firstUnreadSeq: 701, hasOlder: true, hasNewer: true });
  });

  it("loads newer pages from there to the newest message", async () => {
    const { history, shownRange, thread } = aThread({ last: 120, read: 40 });
    await history.ensureOpen();
    await history.loadNewer(WITH_BOB);
    expect(shownRange()).toEqual([31, 120]);
    expect(thread().hasNewer).toBe(false);
  });

  it("loads older pages until the first message", async () => {
    const { history, shownRange, server } = aThread({ last: 120 });
    await history.ensureOpen();
    await history.loadOlder(WITH_BOB);
    await history.loadOlder(WITH_BOB);
    expect(shownRange()).toEqual([1, 120]);
    await history.loadOlder(WITH_BOB);
    expect(server.calls).toHaveLength(3);
  });

  it("loads older pages across missing numbers, and ends at the first message", async () => {
    const { history, shownRange, server, store, thread } = aThread({ last: 120 });
    server.absent = [1, 2, 20, 21, 70, 71, 100];
    await history.ensureOpen();
    expect(shownRange()).toEqual([72, 120]);
    await history.loadOlder(WITH_BOB);
    await history.loadOlder(WITH_BOB);
    expect(shownRange()).toEqual([3, 120]);
    expect(seqs(store.get())).toHaveLength(120 - server.absent.length);
    expect(thread().hasOlder).toBe(false);
    await history.loadOlder(WITH_BOB);
    expect(server.calls).toHaveLength(3);
  });

  it("loads newer pages across missing numbers up to the newest message", async () => {
    const { history, shownRange, server, thread } = aThread({ last: 120, read: 40 });
    server.absent = [80, 81, 82];
    await history.ensureOpen();
    expect(shownRange()).toEqual([31, 79]);
    await history.loadNewer(WITH_BOB);
    expect(shownRange()).toEqual([31, 120]);
    expect(thread().hasNewer).toBe(false);
  });

  it("continues across more missing numbers than a page has", async () => {
    const { history, shownRange, server, thread } = aThread({ last: 200, read: 40 });
    server.absent = Array.from({ length: 64 }, (_, index) => 81 + index);
    await history.ensureOpen();
    await history.loadNewer(WITH_BOB);
    await history.loadNewer(WITH_BOB);
    await history.loadNewer(WITH_BOB);
    expect(shownRange()).toEqual([31, 200]);
    expect(thread().hasNewer).toBe(false);

    const again = aThread({ last: 200 });
    again.server.absent = server.absent;
    await again.history.ensureOpen();
    await again.history.loadOlder(WITH_BOB);
    await again.history.loadOlder(WITH_BOB);
    await again.history.loadOlder(WITH_BOB);
    expect(again.shownRange()).toEqual([1, 200]);
  });

  it("loads one older page at a time", async () => {
    const { history, server } = aThread();
    await history.ensureOpen();
    await Promise.all([history.loadOlder(WITH_BOB), history.loadOlder(WITH_BOB)]);
    expect(server.calls).toHaveLength(2);
  });

  it("loads nothing newer than the newest message", async () => {
    const { history, server } = aThread();
    await history.ensureOpen();
    await history.loadNewer(WITH_BOB);
    expect(server.calls).toHaveLength(1);
  });

  it("jumps to a message deep in history, with messages on both sides", async () => {
    const { history, shownRange } = aThread();
    await history.ensureOpen();
    await history.goTo(aMessage({ seq: 400 }));
    expect(shownRange()).toEqual([376, 425]);
    await history.goTo(aMessage({ seq: 3 }));
    expect(shownRange()).toEqual([1, 50]);
  });

  it("jumps again without another request", async () => {
    const { history, server, store, shownRange } = aThread();
    await history.ensureOpen();
    await history.goTo(aMessage({ seq: 400 }));
    await history.goToLatest(WITH_BOB);
    expect(store.get().threads.get(WITH_BOB)?.viewSeq).toBeNull();
    await history.goTo(aMessage({ seq: 400 }));
    expect(shownRange()).toEqual([376, 425]);
    expect(server.calls).toHaveLength(2);
  });

  it("stays at the found message if the first page arrives at the same time", async () => {
    const { history, server, shownRange } = aThread();
    server.delayOf = ({ before }) => (before === undefined ? 20 : 0);
    await Promise.all([history.ensureOpen(), history.goTo(aMessage({ seq: 400 }))]);
    await history.ensureOpen();
    expect(shownRange()).toEqual([376, 425]);
  });

  it("does not fetch the first page during a jump", async () => {
    const { history, server } = aThread();
    await Promise.all([history.goTo(aMessage({ seq: 400 })), history.ensureOpen()]);
    expect(server.calls).toHaveLength(1);
  });

  it("stays in the newest window for a message that it contains", async () => {
    const { history, server, thread } = aThread();
    await history.ensureOpen();
    await history.goTo(aMessage({ seq: 990 }));
    expect(server.calls).toHaveLength(1);
    expect(thread().hasNewer).toBe(false);
  });

  it("jumps to the newest messages, and fetches them if necessary", async () => {
    const { history, shownRange } = aThread({ read: 700 });
    await history.ensureOpen();
    await history.goToLatest(WITH_BOB);
    expect(shownRange()).toEqual([951, 1000]);
  });

  it("reports a page that cannot be loaded, and loads it on the next attempt", async () => {
    const { history, server, thread } = aThread();
    server.isUp = false;
    await history.ensureOpen();
    expect(thread()).toMatchObject({ loadError: true, isLoaded: false });
    server.isUp = true;
    await history.loadOlder(WITH_BOB);
    expect(thread()).toMatchObject({ loadError: false, isLoaded: true });
  });

  it("tries again when a thread whose page could not be loaded is opened again", async () => {
    const { history, server, store, thread } = aThread();
    server.isUp = false;
    await history.ensureOpen();
    server.isUp = true;
    store.dispatch({ type: "friendOpened", friendId: "cleo" }, { type: "friendOpened", friendId: "bob" });
    await history.ensureOpen();
    expect(thread()).toMatchObject({ loadError: false, isLoaded: true });
  });

  it("loads a quoted message alone, once, and moves no window", async () => {
    const { history, server, store, shownRange } = aThread();
    await history.ensureOpen();
    await Promise.all([history.loadQuoted(WITH_BOB, 7), history.loadQuoted(WITH_BOB, 7)]);
    expect(server.calls.slice(1)).toEqual([{ before: 8, limit: 1 }]);
    expect(shownRange()).toEqual([951, 1000]);
    expect(
      store
        .get()
        .threads.get(WITH_BOB)
        ?.segments[0]?.messages.map(({ seq }) => seq),
    ).toEqual([7]);
  });

  it("loads a quoted message again after a failure, but not one that does not exist", async () => {
    const { history, server } = aThread();
    server.isUp = false;
    await history.loadQuoted(WITH_BOB, 7);
    server.isUp = true;
    server.absent = [7];
    await history.loadQuoted(WITH_BOB, 7);
    await history.loadQuoted(WITH_BOB, 7);
    expect(server.calls).toHaveLength(2);
  });

  it("loads the pinned messages, and moves no window", async () => {
    const { history, server, store, shownRange } = aThread();
    const arePinsLoaded = () => store.get().threads.get(WITH_BOB)?.arePinsLoaded;
    await history.ensureOpen();
    server.isUp = false;
    await history.loadPinned(WITH_BOB);
    expect(arePinsLoaded()).toBe(false);
    server.isUp = true;
    await history.loadPinned(WITH_BOB);
    expect([arePinsLoaded(), shownRange()]).toEqual([true, [951, 1000]]);
    expect(store.get().threads.get(WITH_BOB)?.segments[0]).toMatchObject({ from: 7, to: 7 });
  });

  it("does not retry a page that cannot be loaded by itself", async () => {
    const { history, server } = aThread();
    server.isUp = false;
    await history.ensureOpen();
    await history.ensureOpen();
    expect(server.calls).toHaveLength(1);
  });
});
