import { act, renderHook } from "@testing-library/react";
import { fakeTime } from "../../testing/renderChat.tsx";
import { onDemand, useCode } from "./onDemand.ts";

const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
beforeEach(() => {
  warn.mockClear();
  fakeTime();
});
afterEach(() => jest.useRealTimers());
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

describe("code that is loaded on demand", () => {
  it("is tried again after a backoff for as long as it fails", async () => {
    const module = { name: "tray" };
    const load = jest.fn(async () => module);
    load.mockRejectedValueOnce(new Error("503")).mockRejectedValueOnce(new Error("503"));
    const code = onDemand(load, "Files");
    const { result } = renderHook(() => useCode(code, true));
    await pass(0);
    expect([result.current, load.mock.calls.length]).toEqual([null, 1]);
    await pass(1_000);
    expect([result.current, load.mock.calls.length]).toEqual([null, 2]);
    await pass(2_000);
    expect([result.current, load.mock.calls.length]).toEqual([module, 3]);
    await pass(60_000);
    expect([load.mock.calls.length, warn.mock.calls[0]?.[0]]).toEqual([3, "Files are not shown"]);
  });

  it("is not tried again when nothing wants it any more", async () => {
    const load = jest.fn(() => Promise.reject(new Error("503")));
    const code = onDemand(load, "Files");
    const { rerender, unmount } = renderHook(({ isWanted }) => useCode(code, isWanted), {
      initialProps: { isWanted: true },
    });
    await pass(0);
    rerender({ isWanted: false });
    await pass(60_000);
    expect(load).toHaveBeenCalledTimes(1);
    rerender({ isWanted: true });
    await pass(0);
    unmount();
    await pass(60_000);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
