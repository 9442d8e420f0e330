import { readingDirection } from "./readingDirection.ts";

/**
 * Returns the index that a key moves the focus to, or `null` if the focus stays.
 * @param index the focused item, -1 for none
 * @param count number of items
 * @param wraps whether the ends of the list are connected
 */
export function nextIndex(key: string, index: number, count: number, wraps = true): number | null {
  if (count === 0) return null;
  const last = count - 1;
  const next = index < last ? index + 1 : wraps ? 0 : null;
  const previous = index > 0 ? index - 1 : wraps ? last : null;
  switch (key) {
    case "ArrowDown":
      return next;
    case "ArrowUp":
      return previous;
    case "ArrowRight":
      return readingDirection() === 1 ? next : previous;
    case "ArrowLeft":
      return readingDirection() === 1 ? previous : next;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
