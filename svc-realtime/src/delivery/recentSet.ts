/**
 * Remembers texts for a while, at little cost each: two sets, the older of which is dropped when the younger is full or
 * old enough. So a text is remembered for at least `forMs`, unless more than `max` others follow.
 */
export class RecentSet {
  readonly #max: number;
  readonly #forMs: number;
  #young = new Set<string>();
  #old = new Set<string>();
  #turnedAt = Date.now();

  constructor(max: number, forMs: number) {
    this.#max = max;
    this.#forMs = forMs;
  }

  /** Adds a text. Answers whether it was new. */
  add(text: string): boolean {
    if (this.#young.has(text) || this.#old.has(text)) return false;
    if (this.#young.size >= this.#max || Date.now() - this.#turnedAt > this.#forMs) {
      this.#old = this.#young;
      this.#young = new Set();
      this.#turnedAt = Date.now();
    }
    this.#young.add(text);
    return true;
  }
}
