import type { Endpoint } from "@messageoh/contracts/endpoint";
import { type Rate, rateSetting } from "./rateLimit.ts";

/** A row of a service's table of rate limits. */
export interface LimitRow {
  /** The environment variable that sets the rate. */
  setting: `LIMIT_${string}`;
  fallback: `${number}/${number}`;
  /** What it counts; the setting's description. */
  counts: string;
  /** The text for a refused caller. */
  text: string;
}
type LimitTable = Record<string, LimitRow>;
type SettingOf<Table extends LimitTable> = Table[keyof Table]["setting"];

/** Returns the settings of a table for `loadConfig`, one per limit. */
export const limitSettings = <Table extends LimitTable>(table: Table) =>
  Object.fromEntries(
    Object.values(table).map(({ setting, fallback, counts }) => [setting, rateSetting(fallback).describe(counts)]),
  ) as Record<SettingOf<Table>, ReturnType<typeof rateSetting>>;

/** Returns the rates of a configuration, by limit. */
export const ratesOf = <Table extends LimitTable>(table: Table, config: Record<SettingOf<Table>, Rate>) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { setting }]) => [name, config[setting as SettingOf<Table>]]),
  ) as unknown as Record<keyof Table, Rate>;

/** Returns the function that finds the limit of a call. It throws if the call has none, so that it cannot be mounted. */
export const limitFinder =
  <Name extends string, Limit>(nameOf: ReadonlyMap<Endpoint, Name>, limits: Record<Name, Limit>) =>
  (endpoint: Endpoint): Limit => {
    const name = nameOf.get(endpoint);
    if (!name) throw new Error(`${endpoint.method} ${endpoint.path} has no rate limit`);
    return limits[name];
  };
