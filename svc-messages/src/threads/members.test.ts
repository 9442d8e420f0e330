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
  expect(await Promise.all([members.find(thread_id, "ann"), members.find(thread_id, "ann")])).toEqual([thread, thread]);
  clock.ms = 9 * MINUTE_MS;
  expect(await members.find(thread_id, "ann")).toEqual(thread);
  expect(users.lookedUp).toEqual([thread_id]);
});

it("caches the threads of a user's list", async () => {
  const { users, members } = setUp();
  await members.listOf("ann");
  expect(await members.find(thread_id, "ann")).toEqual(thread);
  expect(users.lookedUp).toEqual([]);
});

it.each([
  ["fails", failWith(503)],
  ["cannot be reached", failWith(0)],
  ["limits the rate", failWith(429)],
  ["has another secret", failWith(404)],
])("returns an old entry while svc-users %s, and refreshes it when svc-users is back", async (_, fails) => {
  const { users, clock, members } = setUp();
  await members.find(thread_id, "ann");
  const changed = { ...thread, user_ids: ["ann", "bea"] as [string, string] };
  users.threads = [changed];
  users.beforeResponse = fails;
  clock.ms = 24 * 60 * MINUTE_MS;
  for (let message = 0; message < 10; message += 1) {
    expect(await members.find(thread_id, "ann")).toEqual(thread);
    await settled();
  }
  expect(users.lookedUp).toHaveLength(2);
  users.beforeResponse = works;
  clock.ms += MINUTE_MS;
  expect(await members.find(thread_id, "ann")).toEqual(thread);
  await settled();
  expect(await members.find(thread_id, "ann")).toEqual(changed);
});

it("returns an old entry while svc-users hangs, with one lookup at a time", async () => {
  const { users, clock, members } = setUp();
  await members.find(thread_id, "ann");
  const response = Promise.withResolvers<void>();
  users.beforeResponse = () => response.promise;
  for (const hours of [1, 2, 3]) {
    clock.ms = hours * 60 * MINUTE_MS;
    expect(await members.find(thread_id, "ann")).toEqual(thread);
  }
  expect(users.lookedUp).toHaveLength(2);
  response.resolve();
});

it("removes a thread when svc-users responds that it does not exist", async () => {
  const { users, clock, members } = setUp();
  await members.find(thread_id, "ann");
  users.threads = [];
  clock.ms = 11 * MINUTE_MS;
  expect(await members.find(thread_id, "ann")).toEqual(thread);
  await settled();
  expect(await members.find(thread_id, "ann")).toBeNull();
});

it("rejects with 503 for a thread that is not cached while svc-users fails", async () => {
  const { users, members } = setUp();
  users.beforeResponse = failWith(500);
  await expect(members.find(thread_id, "ann")).rejects.toMatchObject({ status: 503 });
  await expect(members.listOf("ann")).rejects.toMatchObject({ status: 503 });
  users.beforeResponse = works;
  expect(await members.find(thread_id, "ann")).toEqual(thread);
});

it("looks up at most 20 threads of a user and 400 in all at a time", async () => {
  const { users, members } = setUp();
  const response = Promise.withResolvers<void>();
  users.beforeResponse = () => response.promise;
  const requested = Array.from({ length: 500 }, (_, index) =>
    members.find(`unknown-${index}`, `user-${index % 21}`).catch((error) => error.status),
  );
  const refused = await Promise.all(requested.slice(400));
  expect(new Set(refused)).toEqual(new Set([503]));
  expect(users.lookedUp).toHaveLength(400);
  response.resolve();
  expect(new Set(await Promise.all(requested.slice(0, 400)))).toEqual(new Set([null]));
  expect(await members.find(thread_id, "ann")).toEqual(thread);
});

it("looks up threads of others while one user, who gets 429, invents thread ids", async () => {
  const { users, members } = setUp();
  const response = Promise.withResolvers<void>();
  users.beforeResponse = (threadId) => (threadId === thread_id ? works() : response.promise);
  const invented = Array.from({ length: 256 }, (_, index) =>
    members.find(`unknown-${index}`, "eve").catch((error) => error.status),
  );
  expect(await members.find(thread_id, "ann")).toEqual(thread);
  response.resolve();
  const outcomes = await Promise.all(invented);
  expect([outcomes.filter((one) => one === null).length, outcomes.filter((one) => one === 429).length]).toEqual([
    20, 236,
  ]);
});

it("returns only the threads of the user", async () => {
  const { members } = setUp();
  expect(await members.findForMember(thread_id, "bob")).toEqual(thread);
  await expect(members.findForMember(thread_id, "eve")).rejects.toMatchObject({ status: 403 });
  await expect(members.findForMember("nowhere", "ann")).rejects.toMatchObject({ status: 403 });
});

it("looks a thread up again after its friendship ended, and finds it again once the two are friends again", async () => {
  const { users, members } = setUp();
  await members.find(thread_id, "ann");
  users.endFriendship(thread_id);
  expect(await members.find(thread_id, "ann")).toEqual(thread);
  members.forget(thread_id, ["ann", "bob"]);
  expect(members.isKnown(thread_id)).toBe(false);
  expect(await members.find(thread_id, "ann")).toBeNull();
  users.threads = [thread];
  expect(await members.find(thread_id, "ann")).toEqual(thread);
});

it("does not cache the result of a lookup that began before the friendship ended", async () => {
  const { users, members } = setUp();
  const [lookup, list] = [members.find(thread_id, "ann"), members.listOf("ann")];
  members.forget(thread_id, ["ann", "bob"]);
  await Promise.all([lookup, list]);
  expect(members.isKnown(thread_id)).toBe(false);
  users.threads = [];
  expect(await members.find(thread_id, "ann")).toBeNull();
});

it("lists the threads of a user without svc-users until a friendship of the user begins or ends", async () => {
  const { users, members } = setUp();
  const list = jest.spyOn(users, "beforeResponse");
  for (let poll = 0; poll < 3; poll += 1) expect(await members.listOfCached("ann")).toEqual([thread]);
  expect(list).toHaveBeenCalledTimes(1);
  const begun = threadBetween("ann", "cat");
  users.threads = [thread, begun];
  members.forget(begun.thread_id, begun.user_ids);
  expect(await members.listOfCached("ann")).toEqual([thread, begun]);
  users.endFriendship(thread_id);
  members.forget(thread_id, thread.user_ids);
  expect(await members.listOfCached("ann")).toEqual([begun]);
  expect(await members.listOfCached("bob")).toEqual([]);
});
