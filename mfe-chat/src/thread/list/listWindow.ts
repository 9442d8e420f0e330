import type { Row } from "../days/groupByDay.ts";

export interface ListWindow {
  rows: readonly Row[];
  /** Rows were put before or taken from the start: the reading position counts from the end. */
  isShifted: boolean;
  /** Grows when the rows have nothing to do with those before, as after a jump far away. */
  epoch: number;
}

/** How a list changes from one set of rows to the next. */
export function nextWindow({ rows: before, epoch }: ListWindow, rows: readonly Row[]): ListWindow {
  const firstBefore = firstMessageKey(before);
  const first = firstMessageKey(rows);
  if (firstBefore === undefined || first === undefined || first === firstBefore) {
    return { rows, isShifted: false, epoch };
  }
  const isShifted = has(rows, firstBefore) || has(before, first);
  return { rows, isShifted, epoch: isShifted ? epoch : epoch + 1 };
}

function firstMessageKey(rows: readonly Row[]): string | undefined {
  return rows.find((row) => row.kind === "message")?.key;
}

function has(rows: readonly Row[], key: string): boolean {
  return rows.some((row) => row.key === key);
}
