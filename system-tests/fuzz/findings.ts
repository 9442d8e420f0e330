const EXAMPLES_MAX = 3;

/** What a run found: counts of what was answered, and what must not have happened. */
export class Findings {
  readonly counts = new Map<string, number>();
  readonly faults = new Map<string, string[]>();

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Something that must not happen. A few examples of each kind are kept. */
  fault(kind: string, example = ""): void {
    this.count(`FAULT: ${kind}`);
    const examples = this.faults.get(kind) ?? [];
    if (examples.length < EXAMPLES_MAX) examples.push(example.slice(0, 400));
    this.faults.set(kind, examples);
  }

  print(): void {
    for (const [what, count] of [...this.counts].sort()) {
      process.stdout.write(`${String(count).padStart(8)}  ${what}\n`);
    }
    for (const [kind, examples] of this.faults) {
      for (const example of examples) process.stdout.write(`${kind}: ${JSON.stringify(example)}\n`);
    }
  }
}

/** Works through all of it, so many at once. */
export async function workThrough<Item>(items: Iterable<Item>, atOnce: number, work: (item: Item) => Promise<void>) {
  const iterator = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
