import { setImmediate as settled } from "node:timers/promises";
import { ApiError } from "@messageoh/contracts/client";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { createMembers } from "./members.ts";

const MINUTE_MS = 60_000;
const thread = threadBetween("ann", "bob");
const { thread_id } = thread;

/** Creates a cache of members with a fake svc-users, and a clock that the test sets. */
function setUp() {
  const users = new FakeUsers([thread]);
  const clock = { ms: 0 };
  return { users, clock, members: createMembers(users.call, () => clock.ms) };
}
const failWith = (status: number) => () => Promise.reject(new ApiError(status));
const works = async () => {};

it("looks a thread up once, even for concurrent callers", async () => {
  const { users, clock, members } = setUp();
  expect(await Promise.all([members.find(thread_id), members.find(thread_id)])).toEqual([thread, thread]);
  clock.ms = 9 * MINUTE_MS;
  expect(await members.find(thread_id)).toEqual(thread);
  expect(users.lookedUp).toEqual([thread_id]);
});

it("caches the threads of a user's list", async () => {
  const { users, members } = setUp();
  await members.listOf("ann");
  expect(await members.find(thread_id)).toEqual(thread);
  expect(users.lookedUp).toEqual([]);
});

it.each([
  ["fails", failWith(503)],
  ["cannot be reached", failWith(0)],
  ["limits the rate", failWith(429)],
])("returns an old entry while svc-users %s, and refreshes it when svc-users is back", async (_, fails) => {
  const { users, clock, members } = setUp();
  await members.find(thread_id);
  const changed = { ...thread, user_ids: ["ann", "bea"] as [string, string] };
  users.threads = [changed];
  users.beforeResponse = fails;
  clock.ms = 24 * 60 * MINUTE_MS;
  for (let message = 0; message < 10; message += 1) {
    expect(await members.find(thread_id)).toEqual(thread);
    await settled();
  }
  expect(users.lookedUp).toHaveLength(2);
  users.beforeResponse = works;
  clock.ms += MINUTE_MS;
  expect(await members.find(thread_id)).toEqual(thread);
  await settled();
  expect(await members.find(thread_id)).toEqual(changed);
});

it("returns an old entry while svc-users hangs, with one lookup at a time", async () => {
  const { users, clock, members } = setUp();
  await members.find(thread_id);
  const response = Promise.withResolvers<void>();
  users.beforeResponse = () => response.promise;
  for (const hours of [1, 2, 3]) {
    clock.ms = hours * 60 * MINUTE_MS;
    expect(await members.find(thread_id)).toEqual(thread);
  }
  expect(users.lookedUp).toHaveLength(2);
  response.resolve();
});

it.each([
  ["responds that it does not exist", works],
  ["refuses the call with 404", failWith(404)],
  ["refuses the call with 400", failWith(400)],
])("removes a thread when svc-users %s", async (_, before) => {
  const { users, clock, members } = setUp();
  await members.find(thread_id);
  users.threads = [];
  users.beforeResponse = before;
  clock.ms = 11 * MINUTE_MS;
  expect(await members.find(thread_id)).toEqual(thread);
  await settled();
  expect(await members.find(thread_id)).toBeNull();
});

it("rejects with 503 for a thread that is not cached while svc-users fails", async () => {
  const { users, members } = setUp();
  users.beforeResponse = failWith(500);
  await expect(members.find(thread_id)).rejects.toMatchObject({ status: 503 });
  await expect(members.listOf("ann")).rejects.toMatchObject({ status: 503 });
  users.beforeResponse = works;
  expect(await members.find(thread_id)).toEqual(thread);
});

it("looks up at most 200 threads at a time, and others when those are done", async () => {
  const { users, members } = setUp();
  const response = Promise.withResolvers<void>();
  users.beforeResponse = () => response.promise;
  const requested = Array.from({ length: 300 }, (_, index) =>
    members.find(`unknown-${index}`).catch((error) => error.status),
  );
  const refused = await Promise.all(requested.slice(200));
  expect(new Set(refused)).toEqual(new Set([503]));
  expect(users.lookedUp).toHaveLength(200);
  response.resolve();
  expect(new Set(await Promise.all(requested.slice(0, 200)))).toEqual(new Set([null]));
  expect(await members.find(thread_id)).toEqual(thread);
});

it("does not wait for other threads while one lookup hangs", async () => {
  const { users, members } = setUp();
  const response = Promise.withResolvers<void>();
  users.beforeResponse = () => response.promise;
  jest.useFakeTimers({ doNotFake: ["setImmediate"] });
  const first = members.findSoon("hangs");
  jest.advanceTimersByTime(20);
  expect(await first).toBeUndefined();
  const outcomes: unknown[] = [];
  for (const id of ["hangs", "other", thread_id]) void members.findSoon(id).then((outcome) => outcomes.push(outcome));
  await settled();
  expect(outcomes).toHaveLength(3);
  expect(new Set(outcomes)).toEqual(new Set([undefined]));
  jest.useRealTimers();
  response.resolve();
  await settled();
  expect(await members.findSoon(thread_id)).toEqual(thread);
  expect(await members.findSoon("hangs")).toBeNull();
});

it("returns only the threads of the user", async () => {
  const { members } = setUp();
  expect(await members.findForMember(thread_id, "bob")).toEqual(thread);
  await expect(members.findForMember(thread_id, "eve")).rejects.toMatchObject({ status: 403 });
  await expect(members.findForMember("nowhere", "ann")).rejects.toMatchObject({ status: 403 });
});

it("looks a thread up again after its friendship ended, and finds it again once the two are friends again", async () => {
  const { users, members } = setUp();
  await members.find(thread_id);
  users.endFriendship(thread_id);
  expect(await members.find(thread_id)).toEqual(thread);
  members.forget(thread_id);
  expect(members.isKnown(thread_id)).toBe(false);
  expect(await members.findSoon(thread_id)).toBeNull();
  users.threads = [thread];
  expect(await members.findSoon(thread_id)).toEqual(thread);
});

it("does not cache the result of a lookup that began before the friendship ended", async () => {
  const { users, members } = setUp();
  const [lookup, list] = [members.find(thread_id), members.listOf("ann")];
  members.forget(thread_id);
  await Promise.all([lookup, list]);
  expect(members.isKnown(thread_id)).toBe(false);
  users.threads = [];
  expect(await members.findSoon(thread_id)).toBeNull();
});
