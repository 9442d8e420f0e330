import type { Row } from "../days/groupByDay.ts";

export interface ListWindow {
  rows: readonly Row[];
  /** Rows were inserted or removed at the start, so the scroll position counts from the end. */
  isShifted: boolean;
  /** Increases if the new rows share nothing with the previous ones, as after a jump. */
  epoch: number;
}

/** Classifies the change from one set of rows to the next. */
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
