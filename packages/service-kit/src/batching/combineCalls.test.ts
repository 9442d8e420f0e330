import { Busy } from "./busy.ts";
import { combineCalls } from "./combineCalls.ts";

const LIMITS = { itemsMax: 3, waitingMax: 5, running: 1 };

/** Returns a coalesced function and its calls. Each call waits until the test ends it. */
function doubling(limits = LIMITS) {
  const calls: { items: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const double = combineCalls<number, number>((items) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    calls.push({ items, end: () => resolve(items.map((item) => 2 * item)), fail: reject });
    return promise;
  }, limits);
  return { double, calls };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("combines the items of one turn, and those that arrive during a call", async () => {
  const { double, calls } = doubling();
  const first = [double(1), double(2)];
  await turn();
  const second = [double(3), double(4)];
  await turn();
  expect(calls.map(({ items }) => items)).toEqual([[1, 2]]);
  calls[0]?.end();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await turn();
  expect(calls.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  calls[1]?.end();
  expect(await Promise.all(second)).toEqual([6, 8]);
});

it("limits the items of a call, the calls at the same time and the waiting items", async () => {
  const { double, calls } = doubling();
  const results = [1, 2, 3, 4, 5].map(double);
  await expect(double(6)).rejects.toThrow(Busy);
  await turn();
  expect(calls.map(({ items }) => items)).toEqual([[1, 2, 3]]);
  calls[0]?.end();
  await Promise.all(results.slice(0, 3));
  await turn();
  expect(calls[1]?.items).toEqual([4, 5]);
  calls[1]?.end();
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10]);
});

it("rejects only the items of a failed call", async () => {
  const { double, calls } = doubling();
  const failed = [double(1), double(2), double(3)];
  const next = double(4);
  await turn();
  calls[0]?.fail(new Error("down"));
  for (const result of failed) await expect(result).rejects.toThrow("down");
  await turn();
  calls[1]?.end();
  expect(await next).toBe(8);
});
