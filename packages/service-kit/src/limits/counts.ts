/** A count for each key. A key whose count is 0 uses no memory. */
export class Counts extends Map<string, number> {
  of(key: string): number {
    return this.get(key) ?? 0;
  }

  /** Adds to a count, and returns it. */
  add(key: string, by: 1 | -1): number {
    const count = this.of(key) + by;
    if (count > 0) this.set(key, count);
    else this.delete(key);
    return count;
  }
}
