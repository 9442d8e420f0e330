import { ApiError } from "@messageoh/contracts/client";
import type { Message, ThreadState } from "@messageoh/contracts/messages";
import {
  aMessage,
  aState,
  aThreadState,
  BOB,
  CLEO,
  messagesBetween,
  pageLoaded,
  received,
  reduce,
  seqs,
  shown,
  texts,
  WITH_BOB,
} from "../../testing/builders.ts";
import { createStore } from "../state/store.ts";
import { type CatchUp, createCatchUp } from "./catchUp.ts";
import type { Page } from "./chatApi.ts";

const withCleo = aThreadState({ thread_id: "with-cleo", friend_id: "cleo" });

/** Returns a page with Bob's thread open at its first ten messages, and a server with `last` messages. */
function aPage({ last = 10, isOpened = true } = {}) {
  const server = {
    last,
    isUp: true,
    threads: null as ThreadState[] | null,
    lastChange: 0,
    /** Messages that have changed, ascending by their latest change. */
    changed: [] as Message[],
    friends: [BOB, CLEO, { id: "dan", name: "Dan", avatar_id: "fox-id" }],
    calls: [] as string[],
    /** Delays responses until it is released. */
    gate: Promise.resolve(),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.gate = promise;
      return resolve;
    },
  };
  const respond = async <Value>(call: string, value: () => Value): Promise<Value> => {
    server.calls.push(call);
    const found = value();
    await server.gate;
    if (!server.isUp) throw new ApiError(0);
    return found;
  };
  const api = {
    friends: () => respond("friends", () => server.friends),
    threads: () =>
      respond(
        "threads",
        () =>
          server.threads ?? [
            aThreadState({ last_seq: server.last, read_seq: 10, last_change: server.lastChange }),
            withCleo,
          ],
      ),
    page: (_: string, { after, limit = 50 }: Page): Promise<Message[]> =>
      respond(after === undefined ? "newest" : `after ${after}`, () =>
        after === undefined
          ? messagesBetween(server.last - 49, server.last)
          : messagesBetween(after + 1, Math.min(server.last, after + limit)),
      ),
    changes: (_: string, after: number) => respond(`changes after ${after}`, () => changesOf(after)),
  };
  const changesOf = (after: number) => server.changed.filter(({ change = 0 }) => change > after).slice(0, 200);
  const store = createStore(
    reduce(
      aState({ threads: [aThreadState({ last_seq: 10 })] }),
      isOpened ? [{ type: "friendOpened", friendId: "bob" }, pageLoaded(messagesBetween(1, 10))] : [],
    ),
  );
  const live = { isLive: true };
  const results: boolean[] = [];
  const added: string[] = [];
  const catchUp = createCatchUp({
    api,
    store,
    isLive: () => live.isLive,
    onResult: (isHttpUp) => results.push(isHttpUp),
    onNewFriends: (friendIds) => added.push(...friendIds),
  });
  // Without jitter.
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  return { server, store, catchUp, live, results, added, lastShown: () => seqs(store.get()).at(-1) };
}

function begin(catchUp: CatchUp): void {
  catchUp.start();
  catchUp.request();
}

const settle = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

describe("catch-up", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("requests nothing if nothing is missing", async () => {
    const { catchUp, server } = aPage();
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads"]);
  });

  it("removes friends and threads that the server lists no longer, because the event was lost", async () => {
    const { catchUp, server, store } = aPage();
    server.threads = [withCleo];
    server.friends = [CLEO];
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads", "friends"]);
    expect([[...store.get().friends.keys()], [...store.get().threads.keys()]]).toEqual([["cleo"], ["with-cleo"]]);
  });

  it("does not count messages as missing that were stored after the request, if the friendship ended and began again", async () => {
    const { catchUp, server, store } = aPage();
    server.last = 15;
    const respondWithThreads = server.hold();
    begin(catchUp);
    await settle();
    respondWithThreads();
    const respondWithPage = server.hold();
    await settle();
    expect(server.calls).toEqual(["threads", "after 10"]);

    store.dispatch(
      { type: "friendRemoved", friendId: "bob" },
      { type: "friendAdded", friend: BOB, threadId: WITH_BOB, isOnTop: false },
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 20 })] },
    );
    respondWithPage();
    await settle();
    const { segments } = store.get().threads.get(WITH_BOB) ?? { segments: [] };
    expect(segments.map(({ from, to }) => [from, to])).toEqual([
      [11, 15],
      [20, 20],
    ]);
  });

  it.each(["restart", "resync"] as const)(
    "fetches names and avatars, whose events may be lost, at a %s",
    async (how) => {
      const { catchUp, server, store } = aPage();
      catchUp.start();
      server.friends = [{ ...BOB, name: "Robert", avatar_id: "owl-id" }, CLEO];
      catchUp[how](0);
      await jest.advanceTimersByTimeAsync(0);
      expect(store.get().friends.get("bob")).toMatchObject({ name: "Robert", avatar_id: "owl-id" });
      catchUp.request();
      await jest.advanceTimersByTimeAsync(0);
      expect(server.calls).toEqual(["threads", "friends", "threads"]);
    },
  );

  it("fetches a name that changed, without an event, while an older list was under way", async () => {
    const { catchUp, server, store } = aPage();
    server.friends = [BOB, CLEO];
    const releaseThreads = server.hold();
    catchUp.start();
    catchUp.resync(0);
    await settle();
    const release = server.hold();
    releaseThreads();
    await settle();
    expect(server.calls).toEqual(["threads", "friends"]);
    server.friends = [{ ...BOB, name: "Robert" }, CLEO];
    catchUp.resync(0);
    release();
    await settle();
    await settle();
    expect(store.get().friends.get("bob")).toMatchObject({ name: "Robert" });
  });

  it("asks again soon if the list of threads lacks that of a friend, whose messages it would not show", async () => {
    const { catchUp, server, lastShown } = aPage({ last: 14 });
    server.friends = [BOB, CLEO];
    server.threads = [withCleo];
    begin(catchUp);
    await settle();
    server.threads = null;
    await jest.advanceTimersByTimeAsync(1_500);
    expect(server.calls).toEqual(["threads", "friends", "threads", "after 10"]);
    expect(lastShown()).toBe(14);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(server.calls).toHaveLength(4);
  });

  it("keeps a friend who was added while an older list was under way", async () => {
    const { catchUp, server, store, added } = aPage();
    server.threads = [
      aThreadState({ last_seq: 10 }),
      withCleo,
      aThreadState({ thread_id: "with-dan", friend_id: "dan" }),
    ];
    const releaseThreads = server.hold();
    begin(catchUp);
    await settle();
    const release = server.hold();
    releaseThreads();
    await settle();
    expect(server.calls).toEqual(["threads", "friends"]);
    const eve = { id: "eve", name: "Eve", avatar_id: "fox-id" };
    store.dispatch({ type: "friendAdded", friend: eve, threadId: "with-eve", isOnTop: false });
    release();
    await settle();
    expect([...store.get().friends.keys()].sort()).toEqual(["bob", "cleo", "dan", "eve"]);
    expect(added).toEqual(["dan"]);
  });

  it("fetches the numbers after the last one without a gap", async () => {
    const { catchUp, server, lastShown } = aPage({ last: 14 });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads", "after 10"]);
    expect(lastShown()).toBe(14);
  });

  it("fetches from below a gap, not from the newest message", async () => {
    const { catchUp, server, store, lastShown } = aPage({ last: 14 });
    store.dispatch(received(aMessage({ seq: 13 })));
    begin(catchUp);
    await settle();
    expect(server.calls).toContain("after 10");
    expect(lastShown()).toBe(14);
  });

  it("fetches many missing messages in ranges", async () => {
    const { catchUp, server, lastShown } = aPage({ last: 510 });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads", "after 10", "after 210", "after 410"]);
    expect(lastShown()).toBe(510);
  });

  it("restarts a thread at its newest page if more than a thousand messages are missing", async () => {
    const { catchUp, server, store, lastShown } = aPage({ last: 5000 });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads", "newest"]);
    expect(lastShown()).toBe(5000);
    expect(shown(store.get()).thread.hasOlder).toBe(true);
  });

  describe("of changes", () => {
    const edited = (seq: number, change: number) => aMessage({ seq, change, text: `Edited ${change}` });

    it("fetches the changes after the last one without a gap, also of an unopened thread", async () => {
      for (const isOpened of [true, false]) {
        const { catchUp, server, store } = aPage({ isOpened });
        Object.assign(server, { lastChange: 2, changed: [edited(3, 1), edited(10, 2)] });
        begin(catchUp);
        await settle();
        expect(server.calls).toEqual(["threads", "changes after 0"]);
        expect(texts(store.get()).at(-1)).toBe("Edited 2");
        expect(store.get().threads.get(WITH_BOB)).toMatchObject({ knownChange: 2, lastChange: 2 });
      }
    });

    it("asks again at the next poll for what no response contained, because the server may not know it yet", async () => {
      const { catchUp, server, store } = aPage();
      server.lastChange = 1;
      begin(catchUp);
      await settle(1_000);
      expect(server.calls).toEqual(["threads", "changes after 0"]);
      server.changed = [edited(3, 1)];
      catchUp.request();
      await settle();
      expect(store.get().threads.get(WITH_BOB)?.knownChange).toBe(1);
    });

    it("fetches many changes in pages", async () => {
      const { catchUp, server, store } = aPage();
      const changed = Array.from({ length: 250 }, (_, index) => edited(100 + index, index + 1));
      Object.assign(server, { lastChange: 250, changed });
      begin(catchUp);
      await settle();
      expect(server.calls).toEqual(["threads", "changes after 0", "changes after 200"]);
      expect(store.get().threads.get(WITH_BOB)?.knownChange).toBe(250);
    });

    it("restarts a thread at its newest page if more than a thousand changes are missing", async () => {
      const { catchUp, server, store } = aPage({ last: 60 });
      server.lastChange = 5_000;
      store.dispatch({ type: "messagesChanged", messages: [edited(3, 20)] });
      begin(catchUp);
      await settle();
      expect(server.calls).toEqual(["threads", "after 10", "newest"]);
      expect(seqs(store.get())[0]).toBe(11);
      expect(store.get().threads.get(WITH_BOB)).toMatchObject({ knownChange: 5_000, sinceChange: 5_000 });
    });
  });

  it("updates count and preview of an unopened thread without its messages", async () => {
    const { catchUp, server, store } = aPage({ last: 14, isOpened: false });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads"]);
    expect(shown(store.get()).thread).toMatchObject({ unreadCount: 4, lastMessage: { seq: 14 } });
  });

  it("discards a late response of an earlier connection", async () => {
    const { catchUp, server, store } = aPage({ last: 12 });
    const release = server.hold();
    begin(catchUp);
    await settle();
    catchUp.restart();
    server.last = 15;
    await settle();
    const heard: number[] = [];
    store.subscribe(() => heard.push(store.get().threads.get(WITH_BOB)?.lastSeq ?? 0));
    release();
    await settle();
    expect(heard[0]).toBe(15);
  });

  it("does not end the run of a new connection when one of an old connection fails", async () => {
    const { catchUp, server, results } = aPage();
    server.isUp = false;
    const release = server.hold();
    begin(catchUp);
    await settle();
    server.gate = Promise.resolve();
    catchUp.restart();
    server.isUp = true;
    await settle();
    release();
    await settle();
    expect(results).toEqual([true]);
  });

  it("fetches the friends if a thread names an unknown one", async () => {
    const { catchUp, server, store } = aPage();
    server.threads = [aThreadState({ thread_id: "with-dan", friend_id: "dan" })];
    begin(catchUp);
    await settle();
    expect(server.calls).toContain("friends");
    expect(shown(store.get(), "dan").friend.name).toBe("Dan");
  });

  it("polls every 5 minutes while events arrive", async () => {
    const { catchUp, server } = aPage();
    catchUp.start();
    await settle(299_999);
    expect(server.calls).toHaveLength(0);
    await settle(1);
    expect(server.calls).toHaveLength(1);
    await settle(300_000);
    expect(server.calls).toHaveLength(2);
  });

  it("polls at once after the computer slept, in which timers pause", async () => {
    const { catchUp, server } = aPage();
    catchUp.start();
    jest.setSystemTime(Date.now() + 8 * 3_600_000);
    catchUp.restart();
    await settle();
    expect(server.calls).toContain("threads");
  });

  it("polls once soon, and rarely again, when events arrive again", async () => {
    const { catchUp, server, live } = aPage();
    live.isLive = false;
    catchUp.start();
    await settle(4_000);
    live.isLive = true;
    catchUp.reconsider();
    await settle(1_000);
    expect(server.calls).toHaveLength(1);
    await settle(299_000);
    expect(server.calls).toHaveLength(1);
  });

  it("polls every 5 seconds while no events arrive", async () => {
    const { catchUp, server, live } = aPage();
    catchUp.start();
    live.isLive = false;
    catchUp.reconsider();
    await settle(10_000);
    expect(server.calls).toHaveLength(2);
  });

  it.each([
    [1_000, 5_000],
    [12_000, 12_000],
    [90_000, 30_000],
  ])("polls while no events arrive as rarely as the server asks: %d ms mean %d ms", async (asked, interval) => {
    const { catchUp, server, live } = aPage();
    live.isLive = false;
    catchUp.pollEvery(asked);
    catchUp.start();
    await settle(interval - 1);
    expect(server.calls).toHaveLength(0);
    await settle(1);
    expect(server.calls).toHaveLength(1);
  });

  it("retries after a second on a failure, and reports it", async () => {
    const { catchUp, server, results, lastShown } = aPage({ last: 12 });
    server.isUp = false;
    begin(catchUp);
    await settle();
    expect(results).toEqual([false]);
    server.isUp = true;
    await settle(1000);
    expect(results).toEqual([false, true]);
    expect(lastShown()).toBe(12);
  });

  it("merges simultaneous requests into one run", async () => {
    const { catchUp, server } = aPage();
    begin(catchUp);
    catchUp.request();
    catchUp.request(100);
    await settle(200);
    expect(server.calls).toHaveLength(1);
  });

  it("runs again for a request during a run", async () => {
    const { catchUp, server, lastShown } = aPage();
    const release = server.hold();
    begin(catchUp);
    await settle();
    server.last = 12;
    catchUp.request();
    await settle();
    release();
    await settle(10);
    expect(server.calls).toEqual(["threads", "threads", "after 10"]);
    expect(lastShown()).toBe(12);
  });

  it("does not repeat a request for numbers that the server does not have", async () => {
    const { catchUp, server, store } = aPage();
    server.threads = [aThreadState({ last_seq: 12, last_message: null }), withCleo];
    begin(catchUp);
    await settle(1000);
    expect(server.calls).toEqual(["threads", "after 10"]);
    expect(shown(store.get()).thread.isGapLoading).toBe(false);
  });

  it("keeps unread counts correct when events and responses cross", async () => {
    const { catchUp, server, store } = aPage({ last: 12, isOpened: false });
    const release = server.hold();
    begin(catchUp);
    await settle();
    store.dispatch(received(...messagesBetween(11, 13)));
    release();
    await settle();
    expect(shown(store.get()).thread.unreadCount).toBe(3);
  });

  it("requests nothing after it was stopped", async () => {
    const { catchUp, server } = aPage();
    begin(catchUp);
    await settle();
    catchUp.stop();
    await settle(120_000);
    expect(server.calls).toHaveLength(1);
  });
});
