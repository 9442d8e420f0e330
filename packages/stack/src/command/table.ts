type Row = readonly (string | number)[];

/** Prints a table; the first columns are left-aligned. */
export function printTable(head: Row, rows: readonly Row[], leftColumns = 1): void {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, column) => cell[column < leftColumns ? "padEnd" : "padStart"](widths[column] ?? 0));
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
  process.stdout.write("\n");
}
