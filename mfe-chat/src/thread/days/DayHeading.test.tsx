import { act, render, screen } from "@testing-library/react";
import { DayHeading } from "./DayHeading.tsx";

afterEach(() => {
  jest.useRealTimers();
});

// Alone, because any other change of a thread renders its headings again.
it("changes from Today to Yesterday at midnight", () => {
  jest.useFakeTimers({ now: new Date(2024, 0, 8, 23, 58, 30) });
  render(<DayHeading timestamp={new Date(2024, 0, 8, 12, 0).toISOString()} level={2} />);
  expect(screen.getByRole("heading").textContent).toBe("Today");
  act(() => jest.advanceTimersByTime(120_000));
  expect(screen.getByRole("heading").textContent).toBe("Yesterday");
});
