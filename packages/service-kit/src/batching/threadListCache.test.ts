import { setImmediate as settled } from "node:timers/promises";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { Busy } from "./busy.ts";
import { createThreadListCache } from "./threadListCache.ts";

const MINUTE_MS = 60_000;
const thread = (friend: string): ThreadMembers => ({
  thread_id: `ann-${friend}`,
  user_ids: ["ann", friend],
  created_at: "2026-01-01T00:00:00.000Z",
});
const [bob, cat] = [thread("bob"), thread("cat")];

/** Creates a cache with a clock, and an owner of threads whose responses the test sets. */
function setUp() {
  const owner = { threads: [bob], isDown: false, waits: undefined as Promise<void> | undefined, requests: 0 };
  const clock = { ms: 0 };
  const lists = createThreadListCache({
    async listThreads() {
      owner.requests += 1;
      const { threads, isDown, waits } = owner;
      await waits;
      if (isDown) throw new Error("down");
      return threads;
    },
    refreshAfterMs: 10 * MINUTE_MS,
    now: () => clock.ms,
  });
  return { owner, clock, lists };
}

it("requests a list once, even for concurrent callers", async () => {
  const { owner, lists } = setUp();
  expect(lists.findCached("ann")).toBeUndefined();
  expect(await Promise.all([lists.find("ann"), lists.find("ann")])).toEqual([[bob], [bob]]);
  expect(await lists.find("ann")).toEqual([bob]);
  expect(owner.requests).toBe(1);
});

it("requests the list of a user again after a friendship of the user changed, and no other list", async () => {
  const { owner, lists } = setUp();
  await Promise.all(["ann", "dan"].map(lists.find));
  owner.threads = [bob, cat];
  lists.forget(["ann", "cat"]);
  expect(await lists.find("ann")).toEqual([bob, cat]);
  await lists.find("dan");
  expect(owner.requests).toBe(3);
});

it("does not use a response to a request that began before the change", async () => {
  const { owner, lists } = setUp();
  const response = Promise.withResolvers<void>();
  owner.waits = response.promise;
  const found = lists.find("ann");
  Object.assign(owner, { threads: [bob, cat], waits: undefined });
  lists.forget(["ann", "cat"]);
  response.resolve();
  expect(await found).toEqual([bob, cat]);
  expect(await lists.find("ann")).toEqual([bob, cat]);
  expect(owner.requests).toBe(2);
});

it("refreshes an old list, and keeps using it while the owner is down", async () => {
  const { owner, clock, lists } = setUp();
  await lists.find("ann");
  Object.assign(owner, { isDown: true, threads: [bob, cat] });
  clock.ms = 60 * MINUTE_MS;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await lists.find("ann")).toEqual([bob]);
    await settled();
  }
  expect(owner.requests).toBe(2);
  owner.isDown = false;
  clock.ms += MINUTE_MS;
  expect(await lists.find("ann")).toEqual([bob]);
  await settled();
  expect(await lists.find("ann")).toEqual([bob, cat]);
});

it("rejects if a list is not cached and the owner fails, and requests it again afterwards", async () => {
  const { owner, lists } = setUp();
  owner.isDown = true;
  await expect(lists.find("ann")).rejects.toThrow("down");
  owner.isDown = false;
  expect(await lists.find("ann")).toEqual([bob]);
});

it("requests a list at most once a second, however many callers do not find somebody in it, of whom 50 wait", async () => {
  const { owner, clock, lists } = setUp();
  await lists.find("ann");
  const missing = Array.from({ length: 300 }, () => lists.reload("ann"));
  owner.threads = [bob, cat];
  const results = await Promise.allSettled(missing);
  expect(results.slice(0, 50)).toEqual(Array(50).fill({ status: "fulfilled", value: [bob, cat] }));
  expect(results.slice(50)).toEqual(
    Array(250).fill({ status: "rejected", reason: new Busy("Too many unknown friends") }),
  );
  expect(owner.requests).toBe(2);
  clock.ms += 1_000;
  expect(await lists.reload("ann")).toEqual([bob, cat]);
  expect(owner.requests).toBe(3);
});

it("requests a list again for a caller who does not find somebody while an older request runs", async () => {
  const { owner, lists } = setUp();
  const response = Promise.withResolvers<void>();
  owner.waits = response.promise;
  const before = lists.reload("ann");
  Object.assign(owner, { threads: [bob, cat], waits: undefined });
  const after = lists.reload("ann");
  response.resolve();
  expect([await before, await after]).toEqual([[bob], [bob, cat]]);
});

it("caches at most 200,000 threads of all users", async () => {
  let requests = 0;
  const lists = createThreadListCache({
    async listThreads() {
      requests += 1;
      return Array<ThreadMembers>(1_000).fill(bob);
    },
    refreshAfterMs: 10 * MINUTE_MS,
  });
  for (let user = 0; user < 200; user += 1) await lists.find(`user-${user}`);
  await lists.find("user-199");
  expect(requests).toBe(200);
  await lists.find("user-0");
  expect(requests).toBe(201);
});
