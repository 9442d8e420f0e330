import { createHashingQueue } from "./hashingQueue.ts";

/** Returns a queue with work that ends on demand, and records what was started and refused. */
function createQueue(options: { atOnce: number; waitingMax: number }) {
  const queue = createHashingQueue(options);
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    queue,
    started,
    refused,
    async add(address: string, name: string, isGone = () => false) {
      const work = () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      };
      queue
        .run(address, work, isGone)
        .catch((error) => refused.push(`${name} ${error.status} ${error.retryAfterSeconds}`));
      await settle();
    },
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

it("runs a limited number at the same time and the rest one after another", async () => {
  const { add, end, started } = createQueue({ atOnce: 2, waitingMax: 10 });
  for (const name of ["a", "b", "c", "d"]) await add("here", name);
  expect(started).toEqual(["a", "b"]);
  await end("b");
  expect(started).toEqual(["a", "b", "c"]);
});

it("serves addresses in turn", async () => {
  const { add, end, started } = createQueue({ atOnce: 1, waitingMax: 10 });
  for (const name of ["a1", "a2", "a3"]) await add("a", name);
  for (const name of ["b1", "b2"]) await add("b", name);
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  expect(started).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

it("serves an address without failures before addresses with failures", async () => {
  const { queue, add, end, started } = createQueue({ atOnce: 1, waitingMax: 10 });
  for (const address of ["a", "b", "c"]) {
    queue.failed(address);
    await add(address, address);
  }
  await add("honest", "honest");
  await end("a");
  expect(started).toEqual(["a", "honest"]);
});

it("serves a new address before addresses that were refused but have not failed yet", async () => {
  const { add, end, started, refused } = createQueue({ atOnce: 1, waitingMax: 4 });
  for (let n = 0; n < 4; n += 1) for (const address of ["a", "b"]) await add(address, `${address}${n}`);
  expect(new Set(refused.map(([address]) => address))).toEqual(new Set(["a", "b"]));
  await add("honest", "honest");
  await end("a0");
  expect(started).toEqual(["a0", "honest"]);
});

it("refuses with 429 and a Retry-After time when it is full", async () => {
  const { queue, add, refused } = createQueue({ atOnce: 1, waitingMax: 2 });
  for (const name of ["a1", "a2", "a3"]) await add("a", name);
  expect(() => queue.refuseIfFull("a")).toThrow("Too many people");
  await add("a", "a4");
  expect(refused).toEqual(["a4 429 5"]);
});

it("drops the last password of the address with the most when a new address arrives", async () => {
  const { queue, add, end, started, refused } = createQueue({ atOnce: 1, waitingMax: 3 });
  await add("a", "a1");
  for (const name of ["a2", "a3"]) await add("a", name);
  await add("b", "b1");
  expect(() => queue.refuseIfFull("c")).not.toThrow();
  await add("c", "c1");
  expect(refused).toEqual(["a3 429 5"]);
  for (const name of ["a1", "b1", "c1"]) await end(name);
  expect(started).toEqual(["a1", "b1", "c1", "a2"]);
});

it("continues after work that failed", async () => {
  const { queue, add, end, started } = createQueue({ atOnce: 1, waitingMax: 1 });
  await add("a", "a1");
  const failing = queue.run("a", () => Promise.reject(new Error("broken")));
  await end("a1");
  await expect(failing).rejects.toThrow("broken");
  await add("a", "a2");
  expect(started).toEqual(["a1", "a2"]);
});

it("does not hash for a client who has gone while waiting, and frees the place", async () => {
  const { add, end, started, refused } = createQueue({ atOnce: 1, waitingMax: 10 });
  let isGone = false;
  await add("a", "a1");
  await add("a", "a2", () => isGone);
  await add("a", "a3");
  isGone = true;
  await end("a1");
  expect(refused).toEqual(["a2 499 undefined"]);
  expect(started).toEqual(["a1", "a3"]);
});
