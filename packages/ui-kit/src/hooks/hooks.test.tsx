import { act, renderHook } from "@testing-library/react";
import { setDesktop } from "../../testing/layout.ts";
import { useDebouncedValue } from "./useDebouncedValue.ts";
import { DESKTOP_QUERY, useMediaQuery } from "./useMediaQuery.ts";
import { useSettledCheck } from "./useSettledCheck.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

describe("useDebouncedValue", () => {
  it("returns a value that stayed unchanged for the delay", async () => {
    const { result, rerender } = renderHook(({ value }) => useDebouncedValue(value, 300), {
      initialProps: { value: "" },
    });
    rerender({ value: "a" });
    await pass(299);
    rerender({ value: "ab" });
    await pass(299);
    expect(result.current).toBe("");
    await pass(1);
    expect(result.current).toBe("ab");
  });
});

describe("useSettledCheck", () => {
  const check = async (value: string, name: string) => {
    if (value === "broken") throw new Error("No list");
    return value === name ? "Not your name" : null;
  };

  it("returns the result of the check after the delay, and null while the value changes", async () => {
    const { result, rerender } = renderHook(({ value }) => useSettledCheck(value, "ann", 750, check), {
      initialProps: { value: "" },
    });
    rerender({ value: "ann" });
    await pass(749);
    expect(result.current).toBeNull();
    await pass(1);
    expect(result.current).toBe("Not your name");
    rerender({ value: "anna" });
    expect(result.current).toBeNull();
    await pass(750);
    expect(result.current).toBeNull();
  });

  it("restarts the delay when a value comes back", async () => {
    const { result, rerender } = renderHook(({ value }) => useSettledCheck(value, "ann", 750, check), {
      initialProps: { value: "ann" },
    });
    await pass(750);
    expect(result.current).toBe("Not your name");
    rerender({ value: "anna" });
    rerender({ value: "ann" });
    await pass(749);
    expect(result.current).toBeNull();
    await pass(1);
    expect(result.current).toBe("Not your name");
  });

  it("returns null when the check fails", async () => {
    const { result, rerender } = renderHook(({ value }) => useSettledCheck(value, "ann", 750, check), {
      initialProps: { value: "" },
    });
    rerender({ value: "broken" });
    await pass(750);
    expect(result.current).toBeNull();
  });
});

describe("useMediaQuery", () => {
  it("follows the width of the window", () => {
    const { result } = renderHook(() => useMediaQuery(DESKTOP_QUERY));
    expect(result.current).toBe(true);
    act(() => setDesktop(false));
    expect(result.current).toBe(false);
    act(() => setDesktop(true));
    expect(result.current).toBe(true);
  });
});
