import { styleText } from "node:util";
import type { Health } from "./look.ts";
import type { Row } from "./rates.ts";

const HEAD = ["PART", "PID", "PORT", "HEALTH", "SOCKETS", "MSG IN/S", "MSG OUT/S", "WAITING", "MEMORY"];
const TEXT_COLUMNS = [0, 3];
const COLOUR = { ready: "green", running: "green", "not ready": "yellow", silent: "red" } as const;

/** The parts as a table for a terminal. */
export function table(rows: readonly Row[], isColoured: boolean): string {
  const realtime = rows.filter(({ sockets }) => sockets !== null);
  const sum = (of: readonly Row[], key: "sockets" | "inPerSecond" | "outPerSecond" | "waiting" | "memoryBytes") =>
    of.reduce((total, row) => total + (row[key] ?? 0), 0);
  const cells = rows.map((row) => [
    row.name,
    String(row.pid),
    String(row.port),
    row.health,
    row.sockets === null ? "" : `${row.sockets}${row.sockets === row.websockets ? "" : ` (${row.websockets} ws)`}`,
    figure(row.inPerSecond),
    figure(row.outPerSecond),
    figure(row.waiting),
    megabytes(row.memoryBytes),
  ]);
  const isGood = ({ health }: Row) => health === "ready" || health === "running";
  const total = [
    `${rows.length} parts`,
    "",
    "",
    rows.every(isGood) ? "all well" : `${rows.filter((row) => !isGood(row)).length} unwell`,
    String(sum(realtime, "sockets")),
    figure(sum(realtime, "inPerSecond")),
    figure(sum(realtime, "outPerSecond")),
    figure(sum(rows, "waiting")),
    megabytes(sum(rows, "memoryBytes")),
  ];
  const lines = [HEAD, ...cells, total];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const draw = (line: string[], health?: Health) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const padded = TEXT_COLUMNS.includes(column) ? cell.padEnd(width) : cell.padStart(width);
        return isColoured && health && column === 3
          ? styleText(COLOUR[health], padded, { validateStream: false })
          : padded;
      })
      .join("  ")
      .trimEnd();
  const rule = "-".repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  return [draw(HEAD), ...cells.map((line, index) => draw(line, rows[index]?.health)), rule, draw(total)].join("\n");
}

const figure = (value: number | null): string => (value === null ? "" : String(Math.round(value * 10) / 10));
const megabytes = (bytes: number | null): string => (bytes === null ? "" : `${Math.round(bytes / 1e6)} MB`);
