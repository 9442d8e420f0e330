/**
 * Returns the options that bound an LRUCache to a number of entries. Its option `max` would allocate the memory for all
 * of them when it is created: 3 MB and 10 ms for 100,000 entries.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
