import { createFairQueue, type FairQueue } from "./fairQueue.ts";

const OPTIONS = { working: 2, begun: 2, waitingPerKey: 5 };
const isThere = () => false;
/** Waits until a queue has started what it can. */
const settled = () => new Promise(setImmediate);

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

it("runs one task per key and a limited number in all, in order of arrival", async () => {
  const queue = createFairQueue(OPTIONS);
  const { started, task, end } = createTasks();
  const done = ["ann 1", "ann 2", "bob 1", "cid 1"].map((name) => queue(name.slice(0, 3), isThere, task(name)));
  await settled();
  expect(started).toEqual(["ann 1", "bob 1"]);
  end("bob 1");
  await done[2];
  await settled();
  expect(started).toEqual(["ann 1", "bob 1", "cid 1"]);
  end("ann 1");
  await done[0];
  await settled();
  end("ann 2");
  end("cid 1");
  expect(await Promise.all(done)).toEqual(["ann 1", "ann 2", "bob 1", "cid 1"]);
});

it("runs any number of keys if it has no limit", async () => {
  const queue = createFairQueue({ waitingPerKey: 1 });
  const { started, task } = createTasks();
  for (const name of ["ann 1", "ann 2", "bob 1", "cid 1"]) void queue(name.slice(0, 3), isThere, task(name));
  await settled();
  expect(started).toEqual(["ann 1", "bob 1", "cid 1"]);
});

it("rejects a task with 429 if too many of its key wait, and continues after a failed task", async () => {
  const queue = createFairQueue({ ...OPTIONS, waitingPerKey: 1 });
  const { started, task, end } = createTasks();
  const failing = queue("ann", isThere, () => Promise.reject(new Error("no database")));
  const second = queue("ann", isThere, task("second"));
  await expect(queue("ann", isThere, task("third"))).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
  await expect(failing).rejects.toThrow("no database");
  await settled();
  end("second");
  await second;
  expect(started).toEqual(["second"]);
});

it("pauses a key after a task, without an effect on other keys", async () => {
  jest.useFakeTimers();
  try {
    const queue = createFairQueue({ ...OPTIONS, working: 1, pauseFactor: 4 });
    const { started, task, end } = createTasks();
    const done = ["ann 1", "ann 2", "bob 1"].map((name) => queue(name.slice(0, 3), isThere, task(name)));
    await jest.advanceTimersByTimeAsync(40);
    end("ann 1");
    await jest.advanceTimersByTimeAsync(159);
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

/** Begins a task of ann that takes 50 ms for its first part and then pauses for 200 ms. */
async function beginLong(queue: FairQueue) {
  const long = { isContinued: false, done: Promise.resolve() };
  const part = Promise.withResolvers<void>();
  long.done = queue("ann", isThere, async (pause) => {
    await pause();
    await part.promise;
    await pause();
    long.isContinued = true;
  });
  await jest.advanceTimersByTimeAsync(50);
  return { long, endPart: part.resolve };
}

describe("a task that pauses", () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it("gives its place to others, and continues when a place is free", async () => {
    const queue = createFairQueue({ ...OPTIONS, working: 1 });
    const { started, task, end } = createTasks();
    const { long, endPart } = await beginLong(queue);
    const other = queue("bob", isThere, task("bob 1"));
    await settled();
    expect(started).toEqual([]);
    endPart();
    await settled();
    expect(started).toEqual(["bob 1"]);
    await jest.advanceTimersByTimeAsync(200);
    expect(long.isContinued).toBe(false);
    end("bob 1");
    await Promise.all([other, long.done]);
    expect(long.isContinued).toBe(true);
  });

  it("counts as started", async () => {
    const queue = createFairQueue({ ...OPTIONS, begun: 1 });
    const { started, task, end } = createTasks();
    const { long, endPart } = await beginLong(queue);
    endPart();
    const other = queue("bob", isThere, task("bob 1"));
    await settled();
    expect(started).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    await long.done;
    await settled();
    expect(started).toEqual(["bob 1"]);
    end("bob 1");
    await other;
  });
});

describe("a task that prepares", () => {
  it("takes no place, and runs one at a time per key", async () => {
    const queue = createFairQueue({ ...OPTIONS, working: 1, begun: 1 });
    const { started, task, end } = createTasks();
    const prepareAndRun = (name: string) =>
      queue(name.slice(0, 3), isThere, (_, prepared) => task(`${prepared}: task`)(), task(`${name}`));
    const done = ["ann 1", "ann 2", "bob 1", "cid 1"].map(prepareAndRun);
    await settled();
    expect(started).toEqual(["ann 1", "bob 1", "cid 1"]);
    end("cid 1");
    end("bob 1");
    await settled();
    expect(started.slice(3)).toEqual(["cid 1: task"]);
    end("cid 1: task");
    await settled();
    end("ann 1");
    await settled();
    expect(started.slice(4)).toEqual(["bob 1: task"]);
    end("bob 1: task");
    await settled();
    end("ann 1: task");
    await done[0];
    await settled();
    expect(started.slice(5)).toEqual(["ann 1: task", "ann 2"]);
    end("ann 2");
    await settled();
    end("ann 2: task");
    await Promise.all(done);
  });

  it("runs beside 199 others, and is skipped if the caller has gone", async () => {
    const queue = createFairQueue(OPTIONS);
    const { started, task, end } = createTasks();
    const gone = new Set<string>();
    const run = (name: string) =>
      queue(
        name,
        () => gone.has(name),
        async (_, prepared) => prepared,
        task(name),
      );
    const first = Array.from({ length: 200 }, (_, index) => `user ${index}`);
    const done = first.map(run);
    const [ann, bob] = [run("ann"), run("bob")];
    await settled();
    expect(started).toEqual(first);
    gone.add("ann");
    end("user 3");
    await expect(ann).rejects.toMatchObject({ status: 499 });
    await settled();
    expect(started).toEqual([...first, "bob"]);
    for (const name of [...first, "bob"]) end(name);
    expect(await Promise.all([...done, bob])).toEqual([...first, "bob"]);
  });

  it("rejects if the preparation fails, and takes no place", async () => {
    const queue = createFairQueue({ ...OPTIONS, working: 1, begun: 1 });
    const { task } = createTasks();
    const failing = queue("ann", isThere, task("ann 1"), () => Promise.reject(new Error("no users")));
    await expect(failing).rejects.toThrow("no users");
    expect(await queue("bob", isThere, async () => "bob 1")).toBe("bob 1");
  });
});

it("does not start a task whose caller has gone", async () => {
  const queue = createFairQueue({ ...OPTIONS, working: 1 });
  const { started, task, end } = createTasks();
  let isGone = false;
  const first = queue("ann", isThere, task("ann 1"));
  const abandoned = queue("bob", () => isGone, task("bob 1"));
  const last = queue("cid", isThere, task("cid 1"));
  await settled();
  isGone = true;
  end("ann 1");
  await expect(abandoned).rejects.toMatchObject({ status: 499 });
  await settled();
  expect(started).toEqual(["ann 1", "cid 1"]);
  end("cid 1");
  expect(await Promise.all([first, last])).toEqual(["ann 1", "cid 1"]);
});
