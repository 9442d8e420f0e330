import { rm, writeFile } from "node:fs/promises";
import { pause } from "../../client/account.ts";
import { clockFile } from "../links/environment.ts";
import type { Fault, FaultContext } from "./fault.ts";

const LASTS_MS = 20_000;
const SKEW_MS = 5_000;

/** Returns the fault of wrong clocks: each service is ahead or behind, so that two of them differ by up to 10 s. */
export function clockFault({ stack, random }: FaultContext): Fault {
  return {
    name: "clocks wrong by 5 s",
    async inject() {
      const services = stack.processes().filter(({ name }) => name.startsWith("svc-"));
      const files = services.map(({ name }) => clockFile(stack.dataDir, name));
      await Promise.all(files.map((file) => writeFile(file, String(random.pick([-SKEW_MS, SKEW_MS])))));
      await pause(LASTS_MS);
      await Promise.all(files.map((file) => rm(file, { force: true })));
    },
  };
}
