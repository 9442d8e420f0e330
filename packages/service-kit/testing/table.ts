/**
 * Returns the cells of a table written as text in a test, by row and column. Cells are separated by `|`; the first line
 * names the columns, and the first cell of each line its row.
 */
export function parseTable(text: string): Record<string, Record<string, string>> {
  const [header = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const cellsOf = (row: string[]) =>
    Object.fromEntries(header.slice(1).map((name, index) => [name, row[index + 1] ?? ""]));
  return Object.fromEntries(rows.map((row) => [row[0] ?? "", cellsOf(row)]));
}
