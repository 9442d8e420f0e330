import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { PARTS } from "./costs.ts";
import { planFor, stepsOfGrowth, usersOfUnit } from "./model.ts";
import { tableOf } from "./table.ts";

const cells = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

it("prints the table of docs/operations.md", () => {
  const page = readFileSync(join(repoRoot(), "docs/operations.md"), "utf8").split("\n");
  const start = page.findIndex((line) => line.startsWith("| connected users"));
  const [head = [], , ...rows] = page.slice(start, start + tableOf().length + 1).map(cells);
  expect([head, ...rows]).toEqual(tableOf());
});

it("adds units before one of them is fuller than planned", () => {
  for (const part of PARTS) {
    const most = usersOfUnit(part);
    const count = (users: number) => planFor(users).units.get(part.name);
    expect([count(most), count(most + 1)]).toEqual([1 + part.spare, 2 + part.spare]);
  }
});

it("names the sizes that one unit, or all possible ones, cannot carry", () => {
  for (const { users } of stepsOfGrowth()) {
    const [before, after] = [planFor(users), planFor(users + 1)].map(({ units }) => [...units.values()]);
    expect(after).not.toEqual(before);
  }
  expect(planFor(10_000_000).units.get("Redis nodes")).toBeUndefined();
});
