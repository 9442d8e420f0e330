/** Rows above the one at which a list starts, for its alignment in the middle and the heading of the day. */
const SHARE_ABOVE = 0.5;

/**
 * Returns the indexes of the rows around `start` that fill the window, which is at least as high as any list.
 * @param rowPx estimated height of a row
 */
export function firstRows(start: number, count: number, rowPx: number): number[] {
  const fitting = Math.ceil(window.innerHeight / rowPx);
  const first = Math.max(0, Math.min(start - Math.floor(fitting * SHARE_ABOVE), count - fitting));
  return Array.from({ length: Math.min(fitting, count - first) }, (_, index) => first + index);
}
