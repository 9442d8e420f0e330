import { clockFault } from "./clocks.ts";
import { diskFaults } from "./disks.ts";
import type { Fault, FaultContext } from "./fault.ts";
import { lostZoneFaults } from "./lostZone.ts";
import { networkFaults } from "./network.ts";
import { processFaults } from "./processes.ts";
import { hasCluster, redisClusterFaults } from "./redisCluster.ts";
import { redisFailover } from "./redisFailover.ts";

/** Returns all faults. */
export const createFaults = (context: FaultContext): Fault[] => [
  ...processFaults(context),
  ...networkFaults(context),
  clockFault(context),
  ...(hasCluster(context.stack) ? redisClusterFaults(context) : [redisFailover(context)]),
  ...diskFaults(context),
  ...lostZoneFaults(context),
];
