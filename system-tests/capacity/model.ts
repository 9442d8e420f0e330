import {
  BATCHED_FROM,
  BUSY_MAX,
  PARTS,
  type Part,
  SECONDS_PER_MESSAGE,
  SECONDS_PER_OPENING,
  SECONDS_PER_VISIT,
} from "./costs.ts";

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
const number = (value: number) => Math.round(value).toLocaleString("en");

export interface Plan {
  users: number;
  messagesPerSecond: number;
  /** Units by part; `undefined` if the part cannot have so many. */
  units: ReadonlyMap<string, number | undefined>;
  /** Memory of connections in GB. */
  memoryGb: number;
}

/** What the connected users of an installation do. */
export interface Load {
  users: number;
  messagesPerSecond: number;
  visitsPerSecond: number;
  /** Threads that get a message after more than ten minutes, per second. */
  openingsPerSecond: number;
}

/** What all units of a part use. */
export interface Usage {
  /** CPU milliseconds per second. */
  cpuMs: number;
  /** `undefined` if the memory is a cache. */
  memoryMb: number | undefined;
}

/** Returns what a number of units of a part uses under a load. */
export function usageOf(part: Part, units: number, load: Load): Usage {
  const { messageMs, aloneMs = messageMs, visitMs, openingMs = 0, idleMs, baseMb, kbPerUser = 0 } = part;
  const { users, messagesPerSecond, visitsPerSecond, openingsPerSecond } = load;
  const perMessage = messagesPerSecond / units < BATCHED_FROM ? aloneMs : messageMs;
  return {
    cpuMs: units * idleMs + visitsPerSecond * visitMs + openingsPerSecond * openingMs + messagesPerSecond * perMessage,
    memoryMb: baseMb && units * baseMb + (users * kbPerUser) / 1_000,
  };
}

/** Returns how many connected users one unit of a part carries. */
export function usersOfUnit(part: Part): number {
  const { messageMs, visitMs, openingMs = 0, idleMs, cores, usersMax = Number.POSITIVE_INFINITY } = part;
  const perUser = messageMs / SECONDS_PER_MESSAGE + visitMs / SECONDS_PER_VISIT + openingMs / SECONDS_PER_OPENING;
  return Math.floor(Math.min(usersMax, (1_000 * cores * BUSY_MAX - idleMs) / perUser));
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
