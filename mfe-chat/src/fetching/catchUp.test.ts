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
  WITH_BOB,
} from "../../testing/builders.ts";
import { createStore } from "../state/store.ts";
import { type CatchUp, createCatchUp } from "./catchUp.ts";
import type { Page } from "./chatApi.ts";

/** A page with Bob's thread open at its first ten messages, and a server with `last` messages. */
function aPage({ last = 10, isOpened = true } = {}) {
  const server = {
    last,
    isUp: true,
    threads: null as ThreadState[] | null,
    calls: [] as string[],
    /** Holds back answers until it is released. */
    gate: Promise.resolve(),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.gate = promise;
      return resolve;
    },
  };
  const answer = async <Value>(call: string, value: () => Value): Promise<Value> => {
    server.calls.push(call);
    const found = value();
    await server.gate;
    if (!server.isUp) throw new ApiError(0);
    return found;
  };
  const api = {
    friends: () => answer("friends", () => [BOB, CLEO, { id: "dan", name: "Dan", avatar_id: "fox-id" }]),
    threads: () => answer("threads", () => server.threads ?? [aThreadState({ last_seq: server.last, read_seq: 10 })]),
    page: (_: string, { after, limit = 50 }: Page): Promise<Message[]> =>
      answer(after === undefined ? "newest" : `after ${after}`, () =>
        after === undefined
          ? messagesBetween(server.last - 49, server.last)
          : messagesBetween(after + 1, Math.min(server.last, after + limit)),
      ),
  };
  const store = createStore(
    reduce(
      aState({ threads: [aThreadState({ last_seq: 10 })] }),
      isOpened ? [{ type: "friendOpened", friendId: "bob" }, pageLoaded(messagesBetween(1, 10))] : [],
    ),
  );
  const live = { isLive: true };
  const answers: boolean[] = [];
  const catchUp = createCatchUp({
    api,
    store,
    isLive: () => live.isLive,
    onAnswer: (isHttpUp) => answers.push(isHttpUp),
    random: () => 0.5,
  });
  return { server, store, catchUp, live, answers, lastShown: () => seqs(store.get()).at(-1) };
}

function begin(catchUp: CatchUp): void {
  catchUp.start();
  catchUp.request();
}

const settle = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

describe("catching up", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("asks for nothing more where nothing is missing", async () => {
    const { catchUp, server } = aPage();
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads"]);
  });

  it("fetches the numbers beyond the last one without a gap", async () => {
    const { catchUp, server, lastShown } = aPage({ last: 14 });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads", "after 10"]);
    expect(lastShown()).toBe(14);
  });

  it("fetches from below a gap, not from the newest message that it has", async () => {
    const { catchUp, server, store, lastShown } = aPage({ last: 14 });
    store.dispatch(received(aMessage({ seq: 13 })));
    begin(catchUp);
    await settle();
    expect(server.calls).toContain("after 10");
    expect(lastShown()).toBe(14);
  });

  it("fetches many missing ones in ranges", async () => {
    const { catchUp, server, lastShown } = aPage({ last: 510 });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads", "after 10", "after 210", "after 410"]);
    expect(lastShown()).toBe(510);
  });

  it("starts a thread anew at its newest page when more than a thousand are missing", async () => {
    const { catchUp, server, store, lastShown } = aPage({ last: 5000 });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads", "newest"]);
    expect(lastShown()).toBe(5000);
    expect(shown(store.get()).thread.hasOlder).toBe(true);
  });

  it("updates count and preview of a thread that was not opened, without its messages", async () => {
    const { catchUp, server, store } = aPage({ last: 14, isOpened: false });
    begin(catchUp);
    await settle();
    expect(server.calls).toEqual(["threads"]);
    expect(shown(store.get()).thread).toMatchObject({ unreadCount: 4, lastMessage: { seq: 14 } });
  });

  it("throws away a late answer of an earlier connection", async () => {
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

  it("does not end the run of a new connection with the failure of an old one", async () => {
    const { catchUp, server, answers } = aPage();
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
    expect(answers).toEqual([true]);
  });

  it("fetches the friends when a thread names one who is not known", async () => {
    const { catchUp, server, store } = aPage();
    server.threads = [aThreadState({ thread_id: "with-dan", friend_id: "dan" })];
    begin(catchUp);
    await settle();
    expect(server.calls).toContain("friends");
    expect(shown(store.get(), "dan").friend.name).toBe("Dan");
  });

  it("looks every 30 seconds while events come", async () => {
    const { catchUp, server } = aPage();
    catchUp.start();
    await settle(29_999);
    expect(server.calls).toHaveLength(0);
    await settle(1);
    expect(server.calls).toHaveLength(1);
    await settle(30_000);
    expect(server.calls).toHaveLength(2);
  });

  it("looks every 5 seconds while none come", async () => {
    const { catchUp, server, live } = aPage();
    catchUp.start();
    live.isLive = false;
    catchUp.reconsider();
    await settle(10_000);
    expect(server.calls).toHaveLength(2);
  });

  it("tries again after a second when it fails, and says so", async () => {
    const { catchUp, server, answers, lastShown } = aPage({ last: 12 });
    server.isUp = false;
    begin(catchUp);
    await settle();
    expect(answers).toEqual([false]);
    server.isUp = true;
    await settle(1000);
    expect(answers).toEqual([false, true]);
    expect(lastShown()).toBe(12);
  });

  it("makes one round of several wishes that come together", async () => {
    const { catchUp, server } = aPage();
    begin(catchUp);
    catchUp.request();
    catchUp.request(100);
    await settle(200);
    expect(server.calls).toHaveLength(1);
  });

  it("makes another round for a wish that comes during one", async () => {
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

  it("does not ask in a circle for numbers that the server does not have", async () => {
    const { catchUp, server, store } = aPage();
    server.threads = [aThreadState({ last_seq: 12, last_message: null })];
    begin(catchUp);
    await settle(1000);
    expect(server.calls).toEqual(["threads", "after 10"]);
    expect(shown(store.get()).thread.isGapLoading).toBe(false);
  });

  it("leaves unread counts right when events and answers cross", async () => {
    const { catchUp, server, store } = aPage({ last: 12, isOpened: false });
    const release = server.hold();
    begin(catchUp);
    await settle();
    store.dispatch(received(...messagesBetween(11, 13)));
    release();
    await settle();
    expect(shown(store.get()).thread.unreadCount).toBe(3);
  });

  it("asks nothing after it was stopped", async () => {
    const { catchUp, server } = aPage();
    begin(catchUp);
    await settle();
    catchUp.stop();
    await settle(120_000);
    expect(server.calls).toHaveLength(1);
  });
});
