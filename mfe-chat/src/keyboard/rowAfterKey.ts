/** Returns the row that a key moves the focus to, or `null` if the focus stays. It does not wrap around. */
export function rowAfterKey(key: string, index: number, count: number): number | null {
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[key];
  return target === undefined || target < 0 || target >= count || target === index ? null : target;
}
