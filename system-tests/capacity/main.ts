import { printTable } from "../bench/figures.ts";
import { stepsOfGrowth } from "./model.ts";
import { tableOf } from "./table.ts";

// npm run capacity prints what an installation of a size needs, by the costs that were measured.
const [head = [], ...rows] = tableOf();
printTable(head, rows);
printTable(
  ["connected users", "what comes next"],
  stepsOfGrowth().map(({ users, step }) => [users.toLocaleString("en"), step]),
);
