import { act, renderHook } from "@testing-library/react";
import { useSettled } from "./useSettled.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const frame = () => act(() => jest.advanceTimersToNextFrame());
const task = () => act(() => jest.advanceTimersByTime(1));

it("is settled in the task after the second frame", () => {
  const { result } = renderHook(useSettled);
  expect(result.current).toBe(false);
  frame();
  task();
  expect(result.current).toBe(false);
  frame();
  expect(result.current).toBe(false);
  task();
  expect(result.current).toBe(true);
});

it.each([0, 1, 2])("leaves no timer when the list goes after %i frames", (frames) => {
  const { unmount } = renderHook(useSettled);
  for (let count = 0; count < frames; count += 1) frame();
  unmount();
  expect(jest.getTimerCount()).toBe(0);
});
