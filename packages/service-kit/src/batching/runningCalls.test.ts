import { RunningCalls } from "./runningCalls.ts";

it("does not join a call that started long ago", () => {
  const clock = jest.spyOn(performance, "now").mockReturnValue(0);
  const calls = new RunningCalls<void>();
  const join = () => calls.join("token", () => new Promise(() => {}), 500);
  const first = join();
  clock.mockReturnValue(499);
  expect(join()).toBe(first);
  clock.mockReturnValue(500);
  expect(join()).not.toBe(first);
  clock.mockRestore();
});

it("starts another call after one has failed", async () => {
  const calls = new RunningCalls<string>();
  await expect(calls.join("token", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await calls.join("token", async () => "found")).toBe("found");
  expect(calls.size).toBe(0);
});
