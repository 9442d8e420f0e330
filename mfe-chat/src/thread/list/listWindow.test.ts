import { aThreadMessage } from "../../../testing/aThreadMessage.ts";
import { groupByDay } from "../days/groupByDay.ts";
import { nextWindow } from "./listWindow.ts";

const rows = (from: number, to: number) =>
  groupByDay(
    Array.from({ length: to - from + 1 }, (_, index) => aThreadMessage(from + index)),
    null,
  );
const shown = { rows: rows(51, 100), isShifted: false, epoch: 3 };

it("does not shift on a new message at the end", () => {
  expect(nextWindow(shown, rows(51, 101))).toMatchObject({ isShifted: false, epoch: 3 });
});

it("shifts on older messages at the start", () => {
  expect(nextWindow(shown, rows(1, 100))).toMatchObject({ isShifted: true, epoch: 3 });
});

it("shifts on messages removed from the start", () => {
  expect(nextWindow(shown, rows(60, 100))).toMatchObject({ isShifted: true, epoch: 3 });
});

it("starts a new list on messages from another place in history", () => {
  expect(nextWindow(shown, rows(1, 40))).toMatchObject({ isShifted: false, epoch: 4 });
});

it("does not start a new list on the first messages of an empty thread", () => {
  expect(nextWindow({ ...shown, rows: [] }, rows(1, 1))).toMatchObject({ isShifted: false, epoch: 3 });
});
