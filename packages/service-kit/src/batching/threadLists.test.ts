import { setImmediate as nextTurn } from "node:timers/promises";
import { createThreadLists } from "./threadLists.ts";

const THREADS = [
  { thread_id: "ann-bob", user_ids: ["ann", "bob"] },
  { thread_id: "ann-cat", user_ids: ["ann", "cat"] },
];

it("returns to each user of a call that user's threads", async () => {
  const calls: string[][] = [];
  const listOf = createThreadLists({
    async fetchThreads(userIds) {
      calls.push(userIds);
      return THREADS.filter(({ user_ids }) => user_ids.some((id) => userIds.includes(id)));
    },
    usersMax: 10,
  });
  const lists = await Promise.all(["ann", "bob", "dan", "ann"].map(listOf));
  expect(lists).toEqual([THREADS, [THREADS[0]], [], THREADS]);
  expect(calls).toEqual([["ann", "bob", "dan", "ann"]]);
});

it("requests the lists of 160 users at the same time, and those of others afterwards", async () => {
  const calls: string[][] = [];
  const response = Promise.withResolvers<void>();
  const listOf = createThreadLists({
    async fetchThreads(userIds) {
      calls.push(userIds);
      await response.promise;
      return userIds.map((id) => ({ user_ids: [id] }));
    },
    usersMax: 10,
  });
  const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);
  const lists = users.map(listOf);
  await nextTurn();
  expect(calls.flat()).toEqual(users.slice(0, 160));
  response.resolve();
  expect(await Promise.all(lists)).toEqual(users.map((id) => [{ user_ids: [id] }]));
  expect(calls).toHaveLength(20);
});
