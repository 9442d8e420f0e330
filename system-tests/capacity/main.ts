import { readOptions } from "@messageoh/stack/command/arguments";
import { runCommand } from "@messageoh/stack/command/command";
import { printTable } from "@messageoh/stack/command/table";
import { stepsOfGrowth, tableOf } from "./model.ts";
import { validate } from "./validate.ts";

// npm run capacity prints what an installation of a size needs, by the costs that were measured.
const { values } = readOptions("npm run capacity", {
  validate: [false, "", "compares the CPU time and memory of two sizes with the model, in about two minutes"],
});
if (values.validate) await runCommand("capacity", async ({ dir }) => ((await validate(dir)) ? 0 : 1));
const [head = [], ...rows] = tableOf();
printTable(head, rows);
printTable(
  ["connected users", "what comes next"],
  stepsOfGrowth().map(({ users, step }) => [users.toLocaleString("en"), step]),
);
