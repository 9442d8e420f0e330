import { PARTS } from "./costs.ts";
import { planFor } from "./model.ts";

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
const number = (value: number) => Math.round(value).toLocaleString("en");

/** Returns the rows of the table: the sizes, then what each needs. */
export function tableOf(): string[][] {
  const plans = SIZES.map(planFor);
  return [
    ["connected users", ...plans.map(({ users }) => number(users))],
    ["messages per second", ...plans.map(({ messagesPerSecond }) => number(messagesPerSecond))],
    ...PARTS.map(({ name, unitsMax }) => [
      name,
      ...plans.map(({ units }) => {
        const count = units.get(name);
        return count === undefined ? `over ${unitsMax}` : number(count);
      }),
    ]),
    ["memory of connections, GB", ...plans.map(({ memoryGb }) => memoryGb.toFixed(1))],
  ];
}
