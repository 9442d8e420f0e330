import { createTurns } from "./turns.ts";

/** Works that begin when they are called and end when they are told to. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

it("runs one work per key at a time, and so many in all, in the order of their arrival", async () => {
  const inTurn = createTurns({ atOnce: 2, waitingPerKey: 5 });
  const { begun, work, end } = createWorks();
  const done = ["ann 1", "ann 2", "bob 1", "cid 1"].map((name) => inTurn(name.slice(0, 3), work(name)));
  await new Promise(setImmediate);
  expect(begun).toEqual(["ann 1", "bob 1"]);
  end("bob 1");
  await done[2];
  await new Promise(setImmediate);
  expect(begun).toEqual(["ann 1", "bob 1", "cid 1"]);
  end("ann 1");
  await done[0];
  await new Promise(setImmediate);
  end("ann 2");
  end("cid 1");
  expect(await Promise.all(done)).toEqual(["ann 1", "ann 2", "bob 1", "cid 1"]);
});

it("refuses with 429 what would wait behind too many of its own key, and goes on after a failure", async () => {
  const inTurn = createTurns({ atOnce: 2, waitingPerKey: 1 });
  const { begun, work, end } = createWorks();
  const failing = inTurn("ann", () => Promise.reject(new Error("no database")));
  const second = inTurn("ann", work("second"));
  await expect(inTurn("ann", work("third"))).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
  await expect(failing).rejects.toThrow("no database");
  await new Promise(setImmediate);
  end("second");
  await second;
  expect(begun).toEqual(["second"]);
});
