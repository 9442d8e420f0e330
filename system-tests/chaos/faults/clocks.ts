import { rm, writeFile } from "node:fs/promises";
import { clockFile } from "@messageoh/stack/links/links";
import { pause } from "../../client/account.ts";
import type { Fault, FaultContext } from "./fault.ts";

const LASTS_MS = 20_000;
const SKEW_MS = 5_000;
/** A service reads its clock file this often. */
const READ_EVERY_MS = 250;

/** Returns the fault of wrong clocks: each service is ahead or behind, so that two of them differ by up to 10 s. */
export function clockFault({ stack, world, random }: FaultContext): Fault {
  return {
    name: "clocks wrong by 5 s",
    async inject() {
      const services = stack.processes().filter(({ name }) => name.startsWith("svc-"));
      const files = services.map(({ name }) => clockFile(stack.dataDir, name));
      const wrong = { from: Date.now(), to: Number.POSITIVE_INFINITY, errorMs: SKEW_MS };
      world.ledger.wrongClocks.push(wrong);
      await Promise.all(files.map((file) => writeFile(file, String(random.pick([-SKEW_MS, SKEW_MS])))));
      await pause(LASTS_MS);
      await Promise.all(files.map((file) => rm(file, { force: true })));
      wrong.to = Date.now() + READ_EVERY_MS;
    },
  };
}
