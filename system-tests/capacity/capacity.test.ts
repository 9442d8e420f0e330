import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { BATCHED_FROM, PARTS, type Part } from "./costs.ts";
import { planFor, stepsOfGrowth, tableOf, usageOf, usersOfUnit } from "./model.ts";

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

it("predicts the use of a part from its units, users, visits, opened threads and messages", () => {
  const name = "part";
  const costs = { messageMs: 1, aloneMs: 3, visitMs: 10, openingMs: 100, idleMs: 5, baseMb: 50, kbPerUser: 20 };
  const part: Part = { name, process: name, cores: 1, spare: 0, ...costs };
  const load = { users: 1_000, messagesPerSecond: 7, visitsPerSecond: 2, openingsPerSecond: 4 };
  expect(usageOf(part, 2, load)).toEqual({ cpuMs: 10 + 20 + 400 + 21, memoryMb: 120 });
  const messagesPerSecond = 2 * BATCHED_FROM;
  expect(usageOf(part, 2, { ...load, messagesPerSecond }).cpuMs).toBe(430 + messagesPerSecond);
});
