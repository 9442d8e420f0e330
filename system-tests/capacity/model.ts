import { BUSY_MAX, PARTS, type Part, SECONDS_PER_MESSAGE } from "./costs.ts";

export interface Plan {
  users: number;
  messagesPerSecond: number;
  /** Units by part; `undefined` if the part cannot have so many. */
  units: ReadonlyMap<string, number | undefined>;
  /** Memory of connections in GB. */
  memoryGb: number;
}

/** Returns how many connected users one unit of a part carries. */
export function usersOfUnit({ cpuMs, cores, usersMax = Number.POSITIVE_INFINITY }: Part): number {
  const messagesPerSecond = (1_000 * cores * BUSY_MAX) / cpuMs;
  return Math.floor(Math.min(usersMax, messagesPerSecond * SECONDS_PER_MESSAGE));
}

/** Returns what a number of connected users needs. */
export function planFor(users: number): Plan {
  const units = PARTS.map((part) => {
    const count = Math.ceil(users / usersOfUnit(part)) + part.spare;
    return [part.name, count > (part.unitsMax ?? count) ? undefined : count] as const;
  });
  const kb = PARTS.reduce((sum, { kbPerUser = 0 }) => sum + kbPerUser * users, 0);
  return { users, messagesPerSecond: users / SECONDS_PER_MESSAGE, units: new Map(units), memoryGb: kb / 1e6 };
}

/** Returns the steps at which a growing installation needs another kind of part, by connected users. */
export function stepsOfGrowth(): { users: number; step: string }[] {
  const of = (name: string) => usersOfUnit(PARTS.find((part) => part.name === name) as Part);
  const most = PARTS.flatMap((part) =>
    part.unitsMax ? { users: part.unitsMax * usersOfUnit(part), step: `${part.name} reach their number` } : [],
  );
  const steps = [
    { users: of("gateway"), step: "a second gateway, behind a TCP load balancer" },
    { users: of("MongoDB shards"), step: "more cores for MongoDB, then shards" },
    { users: of("Redis nodes"), step: "a Redis Cluster" },
    ...most,
  ];
  return steps.sort((a, b) => a.users - b.users);
}
