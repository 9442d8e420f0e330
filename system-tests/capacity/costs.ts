/** A part of an installation, and what one unit of it can carry. */
export interface Part {
  name: string;
  /** Names of its processes with `npm start`, without their number. */
  process: string;
  /** CPU time per message in milliseconds, with typing and receipts, while a unit is as busy as planned. */
  messageMs: number;
  /** The same if a unit gets fewer than {@link BATCHED_FROM} messages per second, which share no batch. */
  aloneMs?: number;
  /** CPU time in milliseconds of a user with ten friends who connects and leaves again. */
  visitMs: number;
  /** CPU time in milliseconds of the first message of a thread in ten minutes, whose members are looked up. */
  openingMs?: number;
  /** CPU milliseconds per second of a unit without users. */
  idleMs: number;
  /** Cores that one unit uses. */
  cores: number;
  /** Connected users of one unit, whatever they do. */
  usersMax?: number;
  /** Memory of a unit without users in MB, where it is not a cache. */
  baseMb?: number;
  /** Memory per connected user in kB. */
  kbPerUser?: number;
  /** The same if TLS ends at the unit. */
  kbPerUserWithTls?: number;
  /** Further units, so that the loss of one is no overload. */
  spare: number;
  /** Largest number of units. */
  unitsMax?: number;
}

/** A connected user sends a message in this many seconds. */
export const SECONDS_PER_MESSAGE = 120;
/** A user connects and leaves once in this many seconds. */
export const SECONDS_PER_VISIT = 3_600;
/** An instance looks up a thread that is in use, which has two users, once in ten minutes. */
export const SECONDS_PER_OPENING = 1_200;
/** Messages per second of a unit from which inserts and publications of several messages are shared. */
export const BATCHED_FROM = 200;
/** Share of its cores that a unit uses at most, because bursts and the loss of a unit need the rest. */
export const BUSY_MAX = 0.6;
/** Hash tags of svc-realtime and svc-messages; see service-kit/src/datastores/shards.ts. */
const REDIS_SHARDS = 16;

/**
 * The costs of messages as docs/performance.md states them: CPU time from `bench:scale` with two svc-realtime instances
 * and 300 messages per second, where the two cores were 88 % busy. The rest of the services' time is divided as at
 * 1,000 messages per second without live events: nginx 60, Redis 43, svc-users 23. The other costs are from stacks of
 * `npm start` without users, with 500 users and 38 visits in ten seconds, the same with 50 messages per second, and
 * with 1,500 users who open 25 threads per second.
 */
export const PARTS: readonly Part[] = [
  {
    ...{ name: "gateway", process: "gateway", cores: 2, spare: 1 },
    // Half of `worker_connections`, two of which a socket takes.
    ...{ messageMs: 0.27, visitMs: 1.9, idleMs: 0, usersMax: 16_384, baseMb: 35, kbPerUser: 21 },
    kbPerUserWithTls: 61,
  },
  {
    ...{ name: "svc-realtime", process: "svc-realtime", cores: 1, spare: 1 },
    ...{ messageMs: 1.95, visitMs: 11, idleMs: 7.7, usersMax: 5_000, baseMb: 82, kbPerUser: 17 },
  },
  {
    ...{ name: "svc-messages", process: "svc-messages", cores: 1, spare: 1 },
    ...{ messageMs: 1.7, aloneMs: 2.5, visitMs: 0, openingMs: 1.1, idleMs: 11, baseMb: 104 },
  },
  {
    ...{ name: "svc-users", process: "svc-users", cores: 1, spare: 1 },
    ...{ messageMs: 0.1, visitMs: 2.3, openingMs: 0.8, idleMs: 20, baseMb: 115 },
  },
  {
    ...{ name: "Redis nodes", process: "redis", cores: 1, spare: 0, unitsMax: REDIS_SHARDS },
    ...{ messageMs: 0.19, visitMs: 0.9, openingMs: 0.25, idleMs: 2, baseMb: 6 },
  },
  {
    ...{ name: "MongoDB shards", process: "mongo", cores: 4, spare: 0 },
    ...{ messageMs: 1.66, aloneMs: 2.4, visitMs: 1.6, idleMs: 15 },
  },
];
