import { createFairQueue } from "./fairQueue.ts";

/** Creates tasks that the test ends. */
function createTasks() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    task: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

it("runs one task per key at a time and a limited number of tasks in all, in the order of their arrival", async () => {
  const queue = createFairQueue({ running: 2, waitingPerKey: 5 });
  const { started, task, end } = createTasks();
  const done = ["ann 1", "ann 2", "bob 1", "cid 1"].map((name) => queue(name.slice(0, 3), task(name)));
  await new Promise(setImmediate);
  expect(started).toEqual(["ann 1", "bob 1"]);
  end("bob 1");
  await done[2];
  await new Promise(setImmediate);
  expect(started).toEqual(["ann 1", "bob 1", "cid 1"]);
  end("ann 1");
  await done[0];
  await new Promise(setImmediate);
  end("ann 2");
  end("cid 1");
  expect(await Promise.all(done)).toEqual(["ann 1", "ann 2", "bob 1", "cid 1"]);
});

it("rejects a task with 429 if too many of its key wait, and continues after a failed task", async () => {
  const queue = createFairQueue({ running: 2, waitingPerKey: 1 });
  const { started, task, end } = createTasks();
  const failing = queue("ann", () => Promise.reject(new Error("no database")));
  const second = queue("ann", task("second"));
  await expect(queue("ann", task("third"))).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
  await expect(failing).rejects.toThrow("no database");
  await new Promise(setImmediate);
  end("second");
  await second;
  expect(started).toEqual(["second"]);
});

it("pauses a key after a task, without an effect on other keys", async () => {
  jest.useFakeTimers();
  try {
    const queue = createFairQueue({ running: 1, waitingPerKey: 5, pauseFactor: 4 });
    const { started, task, end } = createTasks();
    const done = ["ann 1", "ann 2", "bob 1"].map((name) => queue(name.slice(0, 3), task(name)));
    await jest.advanceTimersByTimeAsync(100);
    end("ann 1");
    await jest.advanceTimersByTimeAsync(399);
    expect(started).toEqual(["ann 1", "bob 1"]);
    end("bob 1");
    await jest.advanceTimersByTimeAsync(1);
    expect(started).toEqual(["ann 1", "bob 1", "ann 2"]);
    end("ann 2");
    await Promise.all(done);
  } finally {
    jest.useRealTimers();
  }
});
