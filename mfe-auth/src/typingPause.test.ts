import { PASSWORD_CHECK_MS } from "@messageoh/contracts/findPasswordWeakness";
import { typingPause } from "./typingPause.ts";

describe("typingPause", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("waits 750 ms after the last key of a password", () => {
    const onPause = jest.fn();
    const pause = typingPause(PASSWORD_CHECK_MS, onPause);
    pause.typed("a");
    jest.advanceTimersByTime(700);
    pause.typed("ab");
    jest.advanceTimersByTime(749);
    expect(onPause).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onPause.mock.calls).toEqual([["ab"]]);
  });

  it("waits anew when a key brings back what stood there before", () => {
    const onPause = jest.fn();
    const pause = typingPause(PASSWORD_CHECK_MS, onPause);
    pause.typed("abc");
    jest.advanceTimersByTime(750);
    pause.typed("abcd");
    pause.typed("abc");
    jest.advanceTimersByTime(749);
    expect(onPause).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    expect(onPause).toHaveBeenCalledTimes(2);
  });

  it("says nothing after it was cancelled", () => {
    const onPause = jest.fn();
    const pause = typingPause(PASSWORD_CHECK_MS, onPause);
    pause.typed("abc");
    pause.cancel();
    jest.advanceTimersByTime(5000);
    expect(onPause).not.toHaveBeenCalled();
  });
});
