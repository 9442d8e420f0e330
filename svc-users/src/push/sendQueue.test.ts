import { createSendQueue } from "./sendQueue.ts";

/** Returns a queue and work that runs until the test ends it. */
function aQueue() {
  const queue = createSendQueue();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (user: string, host: string) =>
    queue.add({ user, host }, (enter) =>
      enter(() => {
        started.push(`${user} ${host}`);
        return new Promise<void>((resolve) => void ends.push(resolve));
      }),
    );
  return { queue, started, ends, add, settle: () => new Promise(setImmediate) };
}
const times = (count: number, act: (index: number) => void) => Array.from({ length: count }, (_, index) => act(index));

it("runs four attempts of a user at the same time, and those of others meanwhile", async () => {
  const { started, add, ends, settle } = aQueue();
  times(10, () => add("slow", "slow.example"));
  add("ann", "push.example");
  await settle();
  expect(started).toEqual([...Array(4).fill("slow slow.example"), "ann push.example"]);
  ends[0]?.();
  await settle();
  expect(started).toHaveLength(6);
});

it("leaves places for other push services while one does not respond", async () => {
  const { started, add, settle } = aQueue();
  times(100, (index) => add(`user ${index}`, "slow.example"));
  times(40, (index) => add(`other ${index}`, `push${index % 2}.example`));
  await settle();
  expect(started.filter((place) => place.endsWith("slow.example"))).toHaveLength(32);
  expect(started).toHaveLength(64);
});

it("refuses work beyond 60 per user and 5,000 in all", () => {
  const { queue, add } = aQueue();
  times(60, () => add("ann", "push.example"));
  expect(add("ann", "push.example")).toBeUndefined();
  times(6_000, (index) => add(`user ${index}`, "push.example"));
  expect(queue.size()).toBe(5_000);
  expect(add("bob", "push.example")).toBeUndefined();
});

it("gives a turn up between the attempts of one work", async () => {
  const { queue, started, add, settle } = aQueue();
  const retry = Promise.withResolvers<void>();
  times(4, () =>
    queue.add({ user: "ann", host: "push.example" }, async (enter) => {
      await enter(async () => undefined);
      await retry.promise;
    }),
  );
  await settle();
  add("ann", "push.example");
  await settle();
  expect(started).toEqual(["ann push.example"]);
  expect(queue.size()).toBe(5);
});

it("is idle when all work has ended", async () => {
  const { queue, add, ends } = aQueue();
  const work = add("ann", "push.example");
  const idle = queue.idle();
  await new Promise(setImmediate);
  ends[0]?.();
  await work;
  await idle;
  expect(queue.size()).toBe(0);
});
