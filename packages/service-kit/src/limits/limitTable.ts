import type { Endpoint } from "@messageoh/contracts/endpoint";
import { createLocalRateLimit, type Rate, rateSetting } from "./rateLimit.ts";

/** A row of a service's table of rate limits. */
export interface LimitRow {
  /** The environment variable that sets the rate. */
  setting: `LIMIT_${string}`;
  /** The rate if the setting is missing, as COUNT/SECONDS. */
  fallback: `${number}/${number}`;
  /** The uses that the limit counts; the description of the setting. */
  counts: string;
  /** Error text for a refused caller. */
  text: string;
}
type LimitTable = Record<string, LimitRow>;
type SettingOf<Table extends LimitTable> = Table[keyof Table]["setting"];

/** Returns the schemas of a table's settings for `loadConfig`, by environment variable. */
export const limitSettings = <Table extends LimitTable>(table: Table) =>
  Object.fromEntries(
    Object.values(table).map(({ setting, fallback, counts }) => [setting, rateSetting(fallback, counts)]),
  ) as Record<SettingOf<Table>, ReturnType<typeof rateSetting>>;

/** Returns the rates of a configuration, by limit. */
export function ratesOf<Table extends LimitTable>(
  table: Table,
  config: Record<SettingOf<Table>, Rate>,
): Record<keyof Table, Rate> {
  const rates: Partial<Record<keyof Table, Rate>> = {};
  for (const name of Object.keys(table) as (keyof Table)[])
    rates[name] = config[(table[name] as LimitRow).setting as SettingOf<Table>];
  return rates as Record<keyof Table, Rate>;
}

/**
 * Creates the limits of a table. They count in memory, because frequent calls must not wait for Redis.
 * @param prefix the beginning of their names in the metrics
 */
export const createLocalLimits = <Table extends LimitTable>(
  table: Table,
  rates: Record<keyof Table, Rate>,
  prefix = "",
) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { text }]) => {
      const rate = rates[name] as Rate;
      return [name, createLocalRateLimit({ name: prefix + name, rate, text })];
    }),
  ) as Record<keyof Table, ReturnType<typeof createLocalRateLimit>>;

/**
 * Returns a function that returns the limit of an endpoint. It throws if the endpoint has none, so that an endpoint
 * without a limit cannot be mounted.
 * @param nameOf the name of the limit of each endpoint
 */
export const limitFinder =
  <Name extends string, Limit>(nameOf: ReadonlyMap<Endpoint, Name>, limits: Record<Name, Limit>) =>
  (endpoint: Endpoint): Limit => {
    const name = nameOf.get(endpoint);
    if (!name) throw new Error(`${endpoint.method} ${endpoint.path} has no rate limit`);
    return limits[name];
  };
