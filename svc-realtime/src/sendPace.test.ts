import { createSendPace } from "./sendPace.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** 3 at once, then 10 a second; 4 may wait. */
function aPace(options: Partial<Parameters<typeof createSendPace>[0]> = {}) {
  const pace = createSendPace({ rate: { count: 3, seconds: 0.3 }, waitingMax: 4, waitingTotalMax: 6, ...options });
  const gone: string[] = [];
  const waits: number[] = [];
  function send(userId: string, ...names: string[]): void {
    for (const name of names) {
      const turn = pace.turn(userId, (forMs) => waits.push(forMs));
      if (turn) void turn.then(() => gone.push(name));
      else gone.push(name);
    }
  }
  return { pace, gone, waits, send };
}

it("lets a burst go at once and the rest one by one, in order", async () => {
  const { gone, send, pace } = aPace();
  send("ann", "1", "2", "3", "4", "5");
  expect(gone).toEqual(["1", "2", "3"]);
  await jest.advanceTimersByTimeAsync(100);
  expect(gone).toEqual(["1", "2", "3", "4"]);
  // A later one does not overtake those that wait, though there would be a place for it.
  send("ann", "6");
  expect(pace.isIdle()).toBe(false);
  await jest.advanceTimersByTimeAsync(200);
  expect(gone).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(pace.isIdle()).toBe(true);
});

it("refuses for now what is too much to wait, and says so", () => {
  const { send } = aPace();
  send("ann", "1", "2", "3", "4", "5", "6", "7");
  expect(() => send("ann", "8")).toThrow(
    expect.objectContaining({
      message: "You are sending too fast. Messages go out one after the other",
      isRetryable: true,
    }),
  );
});

it("bounds what waits of all users together", () => {
  const { send } = aPace();
  send("ann", "1", "2", "3", "4", "5", "6", "7");
  send("bob", "1", "2", "3", "4", "5");
  expect(() => send("bob", "6")).toThrow("too fast");
});

it("counts each user alone", () => {
  const { gone, send } = aPace();
  send("ann", "a1", "a2", "a3", "a4");
  send("bob", "b1");
  expect(gone).toEqual(["a1", "a2", "a3", "b1"]);
});

it("tells the sender for how long its messages wait, once a second", async () => {
  const { send, waits } = aPace();
  send("ann", "1", "2", "3", "4", "5", "6");
  expect(waits).toEqual([100]);
  await jest.advanceTimersByTimeAsync(1_000);
  send("ann", "7", "8", "9", "10");
  expect(waits).toEqual([100, 100]);
});
