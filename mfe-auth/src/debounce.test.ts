import { PASSWORD_CHECK_MS } from "@messageoh/contracts/findPasswordWeakness";
import { debounce } from "./debounce.ts";

describe("debounce", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("waits 750 ms after the last key of a password", () => {
    const onSettled = jest.fn();
    const debounced = debounce(PASSWORD_CHECK_MS, onSettled);
    debounced.update("a");
    jest.advanceTimersByTime(700);
    debounced.update("ab");
    jest.advanceTimersByTime(749);
    expect(onSettled).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onSettled.mock.calls).toEqual([["ab"]]);
  });

  it("waits anew when a key brings back what stood there before", () => {
    const onSettled = jest.fn();
    const debounced = debounce(PASSWORD_CHECK_MS, onSettled);
    debounced.update("abc");
    jest.advanceTimersByTime(750);
    debounced.update("abcd");
    debounced.update("abc");
    jest.advanceTimersByTime(749);
    expect(onSettled).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    expect(onSettled).toHaveBeenCalledTimes(2);
  });

  it("says nothing after it was cancelled", () => {
    const onSettled = jest.fn();
    const debounced = debounce(PASSWORD_CHECK_MS, onSettled);
    debounced.update("abc");
    debounced.cancel();
    jest.advanceTimersByTime(5000);
    expect(onSettled).not.toHaveBeenCalled();
  });
});
