const EXAMPLES_MAX = 3;

/** The results of a run: counts of responses, and faults. */
export class Findings {
  readonly counts = new Map<string, number>();
  readonly faults = new Map<string, string[]>();

  count(event: string): void {
    this.counts.set(event, (this.counts.get(event) ?? 0) + 1);
  }

  /** Counts a fault and keeps up to three examples of its kind. */
  fault(kind: string, example = ""): void {
    this.count(`FAULT: ${kind}`);
    const examples = this.faults.get(kind) ?? [];
    if (examples.length < EXAMPLES_MAX) examples.push(example.slice(0, 400));
    this.faults.set(kind, examples);
  }

  print(): void {
    for (const [event, count] of [...this.counts].sort()) {
      process.stdout.write(`${String(count).padStart(8)}  ${event}\n`);
    }
    for (const [kind, examples] of this.faults) {
      for (const example of examples) process.stdout.write(`${kind}: ${JSON.stringify(example)}\n`);
    }
  }
}
