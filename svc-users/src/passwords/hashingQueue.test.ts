import { createHashingQueue } from "./hashingQueue.ts";

/** Work that ends when told, and what became of it. */
function aBench(options: { atOnce: number; waitingMax: number }) {
  const queue = createHashingQueue(options);
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    queue,
    started,
    refused,
    async ask(address: string, name: string) {
      const work = () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      };
      queue.run(address, work).catch((error) => refused.push(`${name} ${error.status} ${error.retryAfterSeconds}`));
      await settle();
    },
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

it("does so many at once and the others one after the other", async () => {
  const { ask, end, started } = aBench({ atOnce: 2, waitingMax: 10 });
  for (const name of ["a", "b", "c", "d"]) await ask("here", name);
  expect(started).toEqual(["a", "b"]);
  await end("b");
  expect(started).toEqual(["a", "b", "c"]);
});

it("lets each address have its turn", async () => {
  const { ask, end, started } = aBench({ atOnce: 1, waitingMax: 10 });
  for (const name of ["a1", "a2", "a3"]) await ask("a", name);
  for (const name of ["b1", "b2"]) await ask("b", name);
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  expect(started).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

it("takes an address without failures before all that failed", async () => {
  const { queue, ask, end, started } = aBench({ atOnce: 1, waitingMax: 10 });
  for (const address of ["a", "b", "c"]) {
    queue.failed(address);
    await ask(address, address);
  }
  await ask("honest", "honest");
  await end("a");
  expect(started).toEqual(["a", "honest"]);
});

it("takes a newcomer before all that were refused, though none of them has failed yet", async () => {
  const { ask, end, started, refused } = aBench({ atOnce: 1, waitingMax: 4 });
  for (let n = 0; n < 4; n += 1) for (const address of ["a", "b"]) await ask(address, `${address}${n}`);
  expect(new Set(refused.map(([address]) => address))).toEqual(new Set(["a", "b"]));
  await ask("honest", "honest");
  await end("a0");
  expect(started).toEqual(["a0", "honest"]);
});

it("refuses with 429 and a time to wait when all places are taken", async () => {
  const { queue, ask, refused } = aBench({ atOnce: 1, waitingMax: 2 });
  for (const name of ["a1", "a2", "a3"]) await ask("a", name);
  expect(() => queue.refuseIfFull("a")).toThrow("Too many people");
  await ask("a", "a4");
  expect(refused).toEqual(["a4 429 5"]);
});

it("gives a newcomer the last place of the address that holds most", async () => {
  const { queue, ask, end, started, refused } = aBench({ atOnce: 1, waitingMax: 3 });
  await ask("a", "a1");
  for (const name of ["a2", "a3"]) await ask("a", name);
  await ask("b", "b1");
  expect(() => queue.refuseIfFull("c")).not.toThrow();
  await ask("c", "c1");
  expect(refused).toEqual(["a3 429 5"]);
  for (const name of ["a1", "b1", "c1"]) await end(name);
  expect(started).toEqual(["a1", "b1", "c1", "a2"]);
});

it("frees the place of work that failed", async () => {
  const { queue, ask, end, started } = aBench({ atOnce: 1, waitingMax: 1 });
  await ask("a", "a1");
  const failing = queue.run("a", () => Promise.reject(new Error("broken")));
  await end("a1");
  await expect(failing).rejects.toThrow("broken");
  await ask("a", "a2");
  expect(started).toEqual(["a1", "a2"]);
});
