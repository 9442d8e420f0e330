import { storedAt } from "@messageoh/contracts/messages";
import { currentProcessId, newMessageId } from "./messageId.ts";

const processOf = (id: string) => id.slice(12, 18);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it("begins with the time of storing and counts", () => {
  const [one, other] = [newMessageId(), newMessageId()];
  expect(storedAt(one)).toBe(Date.now());
  expect(one).toHaveLength(24);
  expect(other > one).toBe(true);
});

it("names the same process while the clock runs", () => {
  const before = newMessageId();
  jest.advanceTimersByTime(3_600_000);
  expect(processOf(newMessageId())).toBe(processOf(before));
});

it.each([
  ["ahead", 5_000],
  ["back", -5_000],
])("names another process once its clock was set %s", (_, step) => {
  const before = newMessageId();
  jest.setSystemTime(Date.now() + step);
  const after = currentProcessId();
  expect(after).not.toBe(processOf(before));
  expect(processOf(newMessageId())).toBe(after);
});
