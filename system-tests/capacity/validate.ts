import { printTable } from "@messageoh/stack/command/table";
import { format } from "../bench/figures.ts";
import { FRIENDS_PER_VISITOR, SECONDS_BETWEEN_VISITS } from "../bench/load/browser.ts";
import { PARTS } from "./costs.ts";
import { measureUsage, WARM_UP_SECONDS } from "./measure.ts";
import { type Load, type Usage, usageOf } from "./model.ts";

/** Neither the sizes nor the rate of the measurements that the costs are from. */
const SIZES = [400, 1_200];
const MESSAGES_PER_SECOND = 60;
const SECONDS = 20;
/** Largest share by which a prediction may be wrong. */
const WRONG_MAX = 0.25;

/** Compares the model with stacks of two sizes, and prints both. Returns whether all predictions are right. */
export async function validate(dir: string): Promise<boolean> {
  const ratios: number[] = [];
  for (const users of SIZES) {
    const options = { users, perSecond: MESSAGES_PER_SECOND, seconds: SECONDS };
    const { measured, elapsedSeconds } = await measureUsage(dir, options);
    const load = loadOf(users, elapsedSeconds);
    const rows = PARTS.map((part) => {
      const { units, ...usage } = measured.get(part.process) ?? { units: 0, cpuMs: 0, memoryMb: 0 };
      const predicted = usageOf(part, units, load);
      return [`${part.process} (${units})`, ...compare("cpuMs"), ...compare("memoryMb")];

      function compare(figure: keyof Usage): string[] {
        const [expected, found] = [predicted[figure], usage[figure]];
        if (expected === undefined) return ["-", "-", "-"];
        ratios.push(found / expected);
        return [format(expected), format(found), format(found / expected, 2)];
      }
    });
    process.stdout.write(`\n${format(users)} connected users, ${MESSAGES_PER_SECOND} messages per second\n\n`);
    printTable(["part (units)", "CPU ms/s", "measured", "ratio", "MB", "measured", "ratio"], rows);
  }
  return ratios.every((ratio) => Math.abs(ratio - 1) <= WRONG_MAX);
}

/**
 * Returns what the clients did. The connections send in turn, so each thread gets a message before one gets a third.
 */
function loadOf(users: number, elapsedSeconds: number): Load {
  const openedAfter = (seconds: number) => Math.min(users / 2, (MESSAGES_PER_SECOND * seconds) / 2);
  const opened = openedAfter(WARM_UP_SECONDS + SECONDS) - openedAfter(WARM_UP_SECONDS);
  return {
    users,
    messagesPerSecond: (MESSAGES_PER_SECOND * SECONDS) / elapsedSeconds,
    visitsPerSecond: users / FRIENDS_PER_VISITOR / SECONDS_BETWEEN_VISITS,
    openingsPerSecond: opened / elapsedSeconds,
  };
}
