import { PASSWORD_CHECK_MS } from "@messageoh/contracts/findPasswordWeakness";
import { debounce } from "./debounce.ts";

describe("debounce", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("waits 750 ms after the last change of a password", () => {
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

  it("restarts the delay if the same value is typed again", () => {
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

  it("does not call back after it was cancelled", () => {
    const onSettled = jest.fn();
    const debounced = debounce(PASSWORD_CHECK_MS, onSettled);
    debounced.update("abc");
    debounced.cancel();
    jest.advanceTimersByTime(5000);
    expect(onSettled).not.toHaveBeenCalled();
  });
});
