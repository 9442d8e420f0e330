import { findPrimary } from "@messageoh/stack/dependencies/mongo";
import { pause } from "../../client/account.ts";
import type { Fault, FaultContext } from "./fault.ts";

const LASTS_MS = 15_000;
/** Part of the names of these faults. */
export const FULL_DISK = "full disk";

/** Returns the faults of full disks, if the members of MongoDB have disks of their own. */
export function diskFaults({ stack, disks, random }: FaultContext): Fault[] {
  if (disks.members.length === 0) return [];
  const fill = async (members: readonly string[]) => {
    await Promise.all(members.map((member) => disks.fill(member)));
    await pause(LASTS_MS);
    await Promise.all(members.map((member) => disks.free(member)));
  };
  const primary = async () => {
    const members = stack.processes().filter(({ name }) => disks.members.includes(name));
    return (await findPrimary(members))?.name ?? random.pick(disks.members);
  };
  return [
    { name: `${FULL_DISK} of the MongoDB primary`, inject: async () => fill([await primary()]) },
    { name: `${FULL_DISK}s of all MongoDB members`, inject: () => fill(disks.members) },
  ];
}
