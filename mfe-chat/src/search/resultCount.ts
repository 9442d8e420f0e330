/** Returns the number of results for screen readers, as "1 contact, 2 messages"; parts without results are left out. */
export function resultCount(...parts: readonly [count: number, name: string][]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}${count === 1 ? "" : "s"}`)
    .join(", ");
}
