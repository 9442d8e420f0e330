import { setImmediate as settled } from "node:timers/promises";
import { ApiError } from "@messageoh/contracts/client";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { createMembers } from "./members.ts";

const MINUTE_MS = 60_000;
const thread = threadBetween("ann", "bob");
const { thread_id } = thread;

/** Members on a clock that the test moves. */
function setUp() {
  const users = new FakeUsers([thread]);
  const clock = { ms: 0 };
  return { users, clock, members: createMembers(users.call, () => clock.ms) };
}
const failWith = (status: number) => () => Promise.reject(new ApiError(status));
const works = async () => {};

it("asks svc-users once about a thread, also when several ask at once", async () => {
  const { users, clock, members } = setUp();
  expect(await Promise.all([members.of(thread_id), members.of(thread_id)])).toEqual([thread, thread]);
  clock.ms = 9 * MINUTE_MS;
  expect(await members.of(thread_id)).toEqual(thread);
  expect(users.lookedUp).toEqual([thread_id]);
});

it("remembers the threads that a list of svc-users names", async () => {
  const { users, members } = setUp();
  await members.threadsOf("ann");
  expect(await members.of(thread_id)).toEqual(thread);
  expect(users.lookedUp).toEqual([]);
});

it.each([
  ["fails", failWith(503)],
  ["cannot be reached", failWith(0)],
  ["limits the rate", failWith(429)],
])("serves an old entry while svc-users %s, and refreshes it once svc-users is back", async (_, fails) => {
  const { users, clock, members } = setUp();
  await members.of(thread_id);
  const changed = { ...thread, user_ids: ["ann", "bea"] as [string, string] };
  users.threads = [changed];
  users.beforeResponse = fails;
  clock.ms = 24 * 60 * MINUTE_MS;
  for (let message = 0; message < 10; message += 1) {
    expect(await members.of(thread_id)).toEqual(thread);
    await settled();
  }
  expect(users.lookedUp).toHaveLength(2);
  users.beforeResponse = works;
  clock.ms += MINUTE_MS;
  expect(await members.of(thread_id)).toEqual(thread);
  await settled();
  expect(await members.of(thread_id)).toEqual(changed);
});

it("serves an old entry while svc-users hangs, with one look-up at a time", async () => {
  const { users, clock, members } = setUp();
  await members.of(thread_id);
  const answer = Promise.withResolvers<void>();
  users.beforeResponse = () => answer.promise;
  for (const hours of [1, 2, 3]) {
    clock.ms = hours * 60 * MINUTE_MS;
    expect(await members.of(thread_id)).toEqual(thread);
  }
  expect(users.lookedUp).toHaveLength(2);
  answer.resolve();
});

it.each([
  ["answers that there is none", works],
  ["refuses the call with 404", failWith(404)],
  ["refuses the call with 400", failWith(400)],
])("forgets a thread when svc-users %s", async (_, before) => {
  const { users, clock, members } = setUp();
  await members.of(thread_id);
  users.threads = [];
  users.beforeResponse = before;
  clock.ms = 11 * MINUTE_MS;
  expect(await members.of(thread_id)).toEqual(thread);
  await settled();
  expect(await members.of(thread_id)).toBeNull();
});

it("rejects with 503 while svc-users cannot say who is in an unknown thread", async () => {
  const { users, members } = setUp();
  users.beforeResponse = failWith(500);
  await expect(members.of(thread_id)).rejects.toMatchObject({ status: 503 });
  await expect(members.threadsOf("ann")).rejects.toMatchObject({ status: 503 });
  users.beforeResponse = works;
  expect(await members.of(thread_id)).toEqual(thread);
});

it("asks about 200 threads at a time at most, and about others when those are answered", async () => {
  const { users, members } = setUp();
  const answer = Promise.withResolvers<void>();
  users.beforeResponse = () => answer.promise;
  const asked = Array.from({ length: 300 }, (_, index) =>
    members.of(`unknown-${index}`).catch((error) => error.status),
  );
  const refused = await Promise.all(asked.slice(200));
  expect(new Set(refused)).toEqual(new Set([503]));
  expect(users.lookedUp).toHaveLength(200);
  answer.resolve();
  expect(new Set(await Promise.all(asked.slice(0, 200)))).toEqual(new Set([null]));
  expect(await members.of(thread_id)).toEqual(thread);
});

it("waits for no other thread while one look-up hangs", async () => {
  const { users, members } = setUp();
  const answer = Promise.withResolvers<void>();
  users.beforeResponse = () => answer.promise;
  jest.useFakeTimers({ doNotFake: ["setImmediate"] });
  const first = members.soon("hangs");
  jest.advanceTimersByTime(20);
  expect(await first).toBeUndefined();
  const outcomes: unknown[] = [];
  for (const id of ["hangs", "other", thread_id]) void members.soon(id).then((outcome) => outcomes.push(outcome));
  await settled();
  expect(outcomes).toHaveLength(3);
  expect(new Set(outcomes)).toEqual(new Set([undefined]));
  jest.useRealTimers();
  answer.resolve();
  await settled();
  expect(await members.soon(thread_id)).toEqual(thread);
  expect(await members.soon("hangs")).toBeNull();
});

it("tells a user's own threads only", async () => {
  const { members } = setUp();
  expect(await members.threadOf(thread_id, "bob")).toEqual(thread);
  await expect(members.threadOf(thread_id, "eve")).rejects.toMatchObject({ status: 403 });
  await expect(members.threadOf("nowhere", "ann")).rejects.toMatchObject({ status: 403 });
});
