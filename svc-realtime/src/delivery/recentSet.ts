/**
 * A set of texts that drops old entries cheaply: it fills one generation and drops the one before when the current one is
 * full or old enough. An entry stays for at least `keepMs`, unless more than `max` others follow.
 */
export class RecentSet {
  readonly #max: number;
  readonly #keepMs: number;
  #current = new Set<string>();
  #previous = new Set<string>();
  #rotatedAt = performance.now();

  constructor(max: number, keepMs: number) {
    this.#max = max;
    this.#keepMs = keepMs;
  }

  /** Adds a text. Returns whether it was new. */
  add(text: string): boolean {
    if (this.#current.has(text) || this.#previous.has(text)) return false;
    if (this.#current.size >= this.#max || performance.now() - this.#rotatedAt > this.#keepMs) {
      this.#previous = this.#current;
      this.#current = new Set();
      this.#rotatedAt = performance.now();
    }
    this.#current.add(text);
    return true;
  }
}
