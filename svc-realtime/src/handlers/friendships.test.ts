import type { Call } from "@messageoh/contracts/client";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
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

it("requests a list once, and waits for it only until it is cached", async () => {
  const { users, friendships } = setUp();
  await Promise.all([friendships.whenCached("ann"), friendships.whenCached("ann")]);
  expect(friendships.whenCached("ann")).toBeUndefined();
  expect(users.requests).toBe(1);
});

it("finds a friend who was added since the list was requested, by user and by thread, and no others", async () => {
  const { users, friendships } = setUp();
  users.threads = [];
  expect(await friendships.threadBetween("ann", "bob")).toBeUndefined();
  users.threads = [thread];
  const found = [friendships.threadBetween("ann", "bob"), friendships.threadOf("ann", "ann-bob")];
  // Those beyond the ones that may wait are refused.
  const strangers = Promise.allSettled(
    Array.from({ length: 100 }, (_, index) => friendships.threadOf("ann", `thread-${index}`)),
  );
  expect(await Promise.all(found)).toEqual([thread, thread]);
  const threads = (await strangers).map((result) => ("value" in result ? result.value : undefined));
  expect(new Set(threads)).toEqual(new Set([undefined]));
  expect(await friendships.threadBetween("ann", "ann")).toBeUndefined();
  expect(users.requests).toBe(2);
});
