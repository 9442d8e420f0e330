import { aThreadMessage } from "../../../testing/aThreadMessage.ts";
import { groupByDay } from "../days/groupByDay.ts";
import { nextWindow } from "./listWindow.ts";

const rows = (from: number, to: number) =>
  groupByDay(
    Array.from({ length: to - from + 1 }, (_, index) => aThreadMessage(from + index)),
    null,
  );
const shown = { rows: rows(51, 100), isShifted: false, epoch: 3 };

test("a new message at the end does not shift the list", () => {
  expect(nextWindow(shown, rows(51, 101))).toMatchObject({ isShifted: false, epoch: 3 });
});

test("older messages at the start shift it", () => {
  expect(nextWindow(shown, rows(1, 100))).toMatchObject({ isShifted: true, epoch: 3 });
});

test("messages taken from the start shift it", () => {
  expect(nextWindow(shown, rows(60, 100))).toMatchObject({ isShifted: true, epoch: 3 });
});

test("messages from far away begin a new list", () => {
  expect(nextWindow(shown, rows(1, 40))).toMatchObject({ isShifted: false, epoch: 4 });
});

test("the first messages of an empty thread are no new list", () => {
  expect(nextWindow({ ...shown, rows: [] }, rows(1, 1))).toMatchObject({ isShifted: false, epoch: 3 });
});
