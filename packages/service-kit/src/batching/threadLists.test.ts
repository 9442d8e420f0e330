import { setImmediate as nextTurn } from "node:timers/promises";
import { listThreadsOfUsers } from "@messageoh/contracts/internal/users";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { createThreadLists } from "./threadLists.ts";

const THREADS = [threadBetween("ann", "bob"), threadBetween("ann", "cat")];

it("returns to each user of a call that user's threads", async () => {
  const calls: string[][] = [];
  const listOf = createThreadLists(
    createFakeCall([
      route(listThreadsOfUsers, ({ body }) => {
        calls.push(body.user_ids);
        return THREADS.filter(({ user_ids }) => user_ids.some((id) => body.user_ids.includes(id)));
      }),
    ]),
  );
  const lists = await Promise.all(["ann", "bob", "dan", "ann"].map(listOf));
  expect(lists).toEqual([THREADS, [THREADS[0]], [], THREADS]);
  expect(calls).toEqual([["ann", "bob", "dan", "ann"]]);
});

it("requests the lists of 160 users at the same time, and those of others afterwards", async () => {
  const calls: string[][] = [];
  const response = Promise.withResolvers<void>();
  const listOf = createThreadLists(
    createFakeCall([
      route(listThreadsOfUsers, async ({ body }) => {
        calls.push(body.user_ids);
        await response.promise;
        return body.user_ids.map((id) => threadBetween(id, "other"));
      }),
    ]),
  );
  const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);
  const lists = users.map(listOf);
  await nextTurn();
  expect(calls.flat()).toEqual(users.slice(0, 160));
  response.resolve();
  expect(await Promise.all(lists)).toEqual(users.map((id) => [threadBetween(id, "other")]));
  expect(calls).toHaveLength(20);
});
