import { createTabLock } from "./tabLock.ts";

type Callback = () => Promise<void>;

/** Returns a test double of the Web Locks API, limited to what the lock uses. */
function fakeLocks() {
  const waiting: { callback: Callback; resolve: () => void; reject: (error: Error) => void }[] = [];
  let held: { reject: (error: Error) => void } | null = null;

  function grant(request: (typeof waiting)[number]): void {
    const mine = { reject: request.reject };
    held = mine;
    request.callback().then(() => {
      request.resolve();
      if (held === mine) next();
    });
  }
  function next(): void {
    held = null;
    const first = waiting.shift();
    if (first) grant(first);
  }
  return {
    request(_: string, options: { steal?: boolean; signal?: AbortSignal }, callback: Callback) {
      return new Promise<void>((resolve, reject) => {
        const request = { callback, resolve, reject };
        if (options.steal) {
          held?.reject(new Error("AbortError"));
          grant(request);
        } else if (held) {
          waiting.push(request);
          options.signal?.addEventListener("abort", () => {
            waiting.splice(waiting.indexOf(request), 1);
            reject(new Error("AbortError"));
          });
        } else grant(request);
      });
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("send lock", () => {
  it("elects the first tab and lets the second wait", async () => {
    const locks = fakeLocks();
    const reported: string[] = [];
    createTabLock("me", locks).start((isSender) => reported.push(`one ${isSender}`));
    createTabLock("me", locks).start((isSender) => reported.push(`other ${isSender}`));
    await settled();
    expect(reported).toEqual(["one true"]);
  });

  it("is passed on when its tab is closed", async () => {
    const locks = fakeLocks();
    const reported: string[] = [];
    const one = createTabLock("me", locks);
    one.start(() => undefined);
    createTabLock("me", locks).start((isSender) => reported.push(`other ${isSender}`));
    one.stop();
    await settled();
    expect(reported).toEqual(["other true"]);
  });

  it("can be taken over, and the tab that lost it waits again", async () => {
    const locks = fakeLocks();
    const reported: string[] = [];
    const [one, other] = [createTabLock("me", locks), createTabLock("me", locks)];
    one.start((isSender) => reported.push(`one ${isSender}`));
    other.start((isSender) => reported.push(`other ${isSender}`));
    other.takeOver();
    await settled();
    expect(reported).toEqual(["one true", "other true", "one false"]);
    other.stop();
    await settled();
    expect(reported.at(-1)).toBe("one true");
  });

  it("does nothing if its own tab takes it over", async () => {
    const reported: boolean[] = [];
    const lock = createTabLock("me", fakeLocks());
    lock.start((isSender) => reported.push(isSender));
    lock.takeOver();
    await settled();
    expect(reported).toEqual([true]);
  });

  it("can be started again after it was stopped", async () => {
    const reported: boolean[] = [];
    const lock = createTabLock("me", fakeLocks());
    lock.start(() => undefined);
    lock.stop();
    await settled();
    lock.start((isSender) => reported.push(isSender));
    expect(reported).toEqual([true]);
  });

  it("asks once if the lock manager rejects at once, as WebKit does on a page that is being left, and elects the tab", async () => {
    let requests = 0;
    const request = () => {
      requests += 1;
      // Without an end, a lock that asks again for ever would never let this test fail.
      return requests > 100 ? new Promise<void>(() => undefined) : Promise.reject(new Error("AbortError"));
    };
    const reported: boolean[] = [];
    createTabLock("me", { request }).start((isSender) => reported.push(isSender));
    await settled();
    expect({ requests, reported }).toEqual({ requests: 1, reported: [true] });
  });

  it("asks once more if a page that is being left loses the lock that it holds", async () => {
    let requests = 0;
    const left = Promise.withResolvers<void>();
    const request = (_: string, __: object, callback: Callback) => {
      requests += 1;
      if (requests === 1) void callback();
      return requests > 100 ? new Promise<void>(() => undefined) : left.promise;
    };
    const reported: boolean[] = [];
    createTabLock("me", { request }).start((isSender) => reported.push(isSender));
    left.reject(new Error("AbortError"));
    await settled();
    expect({ requests, reported }).toEqual({ requests: 2, reported: [true, false, true] });
  });

  it("elects every tab if the browser has no locks", () => {
    const reported: boolean[] = [];
    createTabLock("me", undefined).start((isSender) => reported.push(isSender));
    expect(reported).toEqual([true]);
  });
});
