import { setImmediate as settled } from "node:timers/promises";
import type { Call } from "@messageoh/contracts/client";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { createFriendships } from "./friendships.ts";

const thread: ThreadMembers = { thread_id: "ann-bob", user_ids: ["ann", "bob"], created_at: "2026-01-01T00:00:00Z" };

/** Creates a cache with a svc-users whose responses the test sets. */
function setUp() {
  const users = { threads: [thread], waits: undefined as Promise<void> | undefined, requests: 0 };
  const clock = { ms: 0 };
  const call = (async () => {
    users.requests += 1;
    const { threads, waits } = users;
    await waits;
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

it("requests the list again for a friendship that it does not contain", async () => {
  const { users, friendships } = setUp();
  users.threads = [];
  expect(await friendships.threadBetween("ann", "bob")).toBeUndefined();
  users.threads = [thread];
  expect(await friendships.threadBetween("ann", "bob")).toEqual(thread);
  expect(await friendships.threadBetween("ann", "ann")).toBeUndefined();
});
