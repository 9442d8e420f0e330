import { setImmediate as settled } from "node:timers/promises";
import type { Call } from "@messageoh/contracts/client";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { createFriendships } from "./friendships.ts";

const FRIENDS = 1_000;

it("remembers at most 200,000 threads of all users", async () => {
  let asked = 0;
  const call = (async (_: unknown, { body: { user_ids } }: { body: { user_ids: [string] } }) => {
    asked += 1;
    const [user_id] = user_ids;
    return Array.from({ length: FRIENDS }, (_, index): ThreadMembers => {
      const user_ids: [string, string] = [user_id, `friend-${index}`];
      return { thread_id: `${user_id}-${index}`, user_ids, created_at: "2026-01-01T00:00:00Z" };
    });
  }) as Call;
  const friendships = createFriendships(call);
  const isKnown = async (user: string) => {
    const before = asked;
    expect((await friendships.threadBetween(user, "friend-7"))?.thread_id).toBe(`${user}-7`);
    return asked === before;
  };
  for (let user = 0; user < 200; user += 1) expect(await isKnown(`user-${user}`)).toBe(false);
  expect([await isKnown("user-199"), await isKnown("user-0")]).toEqual([true, false]);
});

const thread: ThreadMembers = { thread_id: "ann-bob", user_ids: ["ann", "bob"], created_at: "2026-01-01T00:00:00Z" };
const MINUTE_MS = 60_000;

/** Creates a cache with a clock, and a svc-users whose responses the test sets. */
function setUp() {
  const users = { threads: [thread], isDown: false, waits: undefined as Promise<void> | undefined, requests: 0 };
  const clock = { ms: 0 };
  const call = (async () => {
    users.requests += 1;
    const { threads, isDown, waits } = users;
    await waits;
    if (isDown) throw new Error("down");
    return threads;
  }) as Call;
  return { users, clock, friendships: createFriendships(call, () => clock.ms) };
}

it("requests a friendship again after it ended, also if an older response is under way", async () => {
  const { users, friendships } = setUp();
  const response = Promise.withResolvers<void>();
  users.waits = response.promise;
  const found = friendships.threadBetween("ann", "bob");
  Object.assign(users, { threads: [], waits: undefined });
  friendships.forget(["ann", "bob"]);
  response.resolve();
  expect(await found).toBeUndefined();
  expect(await friendships.threadBetween("ann", "bob")).toBeUndefined();
});

it("requests a list once a second at most for any number of non-friends, and finds a friend who was added meanwhile", async () => {
  const { users, clock, friendships } = setUp();
  expect(await friendships.threadBetween("ann", "bob")).toEqual(thread);
  const strangers = Array.from({ length: 300 }, (_, index) => friendships.threadBetween("ann", `stranger-${index}`));
  const unknown = Array.from({ length: 300 }, (_, index) => friendships.threadOf("ann", `thread-${index}`));
  const cyd: ThreadMembers = { ...thread, thread_id: "ann-cyd", user_ids: ["ann", "cyd"] };
  users.threads = [thread, cyd];
  expect(await friendships.threadBetween("ann", "cyd")).toEqual(cyd);
  expect(await friendships.threadOf("ann", "ann-cyd")).toEqual(cyd);
  expect(new Set(await Promise.all([...strangers, ...unknown]))).toEqual(new Set([undefined]));
  expect(users.requests).toBe(2);
  clock.ms += 1_000;
  expect(await friendships.threadBetween("ann", "dan")).toBeUndefined();
  expect(users.requests).toBe(3);
});

it("requests a list once more for a friend who was added after a running request had begun", async () => {
  const { users, friendships } = setUp();
  const response = Promise.withResolvers<void>();
  Object.assign(users, { threads: [], waits: response.promise });
  const before = friendships.threadBetween("ann", "bob");
  await settled();
  Object.assign(users, { threads: [thread], waits: undefined });
  const after = friendships.threadBetween("ann", "bob");
  response.resolve();
  expect([await before, await after]).toEqual([undefined, thread]);
});

it("requests a list once, and waits for it only until it is cached", async () => {
  const { users, friendships } = setUp();
  await Promise.all([friendships.whenCached("ann"), friendships.whenCached("ann")]);
  expect(friendships.whenCached("ann")).toBeUndefined();
  expect(users.requests).toBe(1);
});

it("refreshes an old list, and keeps using it while svc-users is down", async () => {
  const { users, clock, friendships } = setUp();
  await friendships.threadBetween("ann", "bob");
  clock.ms = 60 * MINUTE_MS;
  users.isDown = true;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await friendships.threadBetween("ann", "bob")).toEqual(thread);
    await settled();
  }
  expect(users.requests).toBe(2);
  Object.assign(users, { isDown: false, threads: [] });
  clock.ms += MINUTE_MS;
  expect(await friendships.threadBetween("ann", "bob")).toEqual(thread);
  await settled();
  expect(await friendships.threadBetween("ann", "bob")).toBeUndefined();
});
