/** A part of an installation, and what one unit of it can carry. */
export interface Part {
  name: string;
  /** CPU time per message in milliseconds, with presence, typing and receipts. */
  cpuMs: number;
  /** Cores that one unit uses. */
  cores: number;
  /** Connected users of one unit, whatever they do. */
  usersMax?: number;
  /** Memory per connected user in kB. */
  kbPerUser?: number;
  /** Further units, so that the loss of one is no overload. */
  spare: number;
  /** Largest number of units. */
  unitsMax?: number;
}

/** A connected user sends a message in this many seconds. */
export const SECONDS_PER_MESSAGE = 120;
/** Share of its cores that a unit uses at most, because bursts and the loss of a unit need the rest. */
export const BUSY_MAX = 0.6;
/** Hash tags of svc-realtime and svc-messages; see service-kit/src/datastores/shards.ts. */
const REDIS_SHARDS = 16;

/**
 * The costs as docs/performance.md states them: CPU time from `bench:scale` with two svc-realtime instances and 300 messages
 * per second, where the two cores were 88 % busy. The rest of the services' time is divided as at 1,000 messages per second
 * without live events: nginx 60, Redis 43, svc-users 23.
 */
export const PARTS: readonly Part[] = [
  // Half of `worker_connections`, two of which a socket takes.
  { name: "gateway", cpuMs: 0.27, cores: 4, usersMax: 16_384, kbPerUser: 21, spare: 1 },
  { name: "svc-realtime", cpuMs: 1.95, cores: 1, usersMax: 5_000, kbPerUser: 17, spare: 1 },
  { name: "svc-messages", cpuMs: 1.7, cores: 1, spare: 1 },
  { name: "svc-users", cpuMs: 0.1, cores: 1, spare: 1 },
  { name: "Redis nodes", cpuMs: 0.19, cores: 1, spare: 0, unitsMax: REDIS_SHARDS },
  { name: "MongoDB shards", cpuMs: 1.66, cores: 4, spare: 0 },
];
