import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { wholeNumber } from "@messageoh/contracts/fields";
import { safeParse } from "@messageoh/contracts/parse";
import * as v from "valibot";
import { isRedisUrl, REDIS_URL_FORM } from "../datastores/redisUrl.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
/** A setting that must not be empty. */
export const nonEmpty = v.pipe(v.string(), v.nonEmpty("it is empty"));
/** A URL. */
export const url = v.pipe(v.string(), v.url("it is no URL"));
const itemsOf = (list: string) => list.split(",").map((item) => item.trim());
/** A list of URLs, separated by commas. */
export const urlList = v.pipe(v.string(), v.transform(itemsOf), v.array(url));
/** A list of hosts, separated by commas; none by default. */
export const hostList = v.pipe(
  v.optional(v.string(), ""),
  v.transform((list) => itemsOf(list).filter((host) => host !== "")),
);
/** Returns the schema of a whole number of at least `min`, with a default. */
export const integer = (min: number, fallback: number) => v.optional(wholeNumber(min), fallback);

/** Schemas of the settings that every service has, by environment variable. */
export const commonConfig = {
  HOST: v.pipe(v.optional(v.string(), "127.0.0.1"), v.description("Address to listen on")),
  PORT: v.pipe(wholeNumber(0, 65_535), v.description("Port to listen on; 0 takes a free one")),
  INSTANCE: v.pipe(v.optional(nonEmpty, hostname()), v.description("Name of this process in logs and events")),
  REDIS_URL: v.pipe(
    v.string(),
    v.check(isRedisUrl, REDIS_URL_FORM),
    v.description("Redis server or cluster for events and shared rate limits"),
  ),
  INTERNAL_SECRET: v.pipe(
    v.string(),
    v.minLength(16, "it has fewer than 16 characters"),
    v.description("Shared secret of calls between services"),
  ),
  LOG_LEVEL: v.pipe(
    v.optional(v.picklist(LOG_LEVELS, `it is not one of ${LOG_LEVELS.join(", ")}`), "info"),
    v.description("Least level logged"),
  ),
};

/**
 * Returns a service's settings from the environment. `NAME_FILE` names a file that contains the value of `NAME`, for
 * mounted secrets. If a setting is invalid, it prints every error without the values and ends the process with exit
 * code 1. Do not give a secret a default.
 * @param settings schemas by environment variable
 */
export function loadConfig<Settings extends v.ObjectEntries>(
  settings: Settings,
): v.InferOutput<v.ObjectSchema<Settings, undefined>> {
  const { values, errors } = readSettings(Object.keys(settings));
  const config: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(settings)) {
    const { error, data } = safeParse(schema as v.GenericSchema, values[name]);
    config[name] = data;
    if (!error || errors.has(name)) continue;
    errors.set(name, values[name] === undefined ? "is missing" : `is invalid: ${error.message}`);
  }
  if (errors.size === 0) return config as v.InferOutput<v.ObjectSchema<Settings, undefined>>;
  for (const [name, error] of errors) {
    const schema = settings[name];
    const description = schema && v.getDescription(schema);
    console.error(`Setting ${name} ${error}${description ? ` (${description})` : ""}`);
  }
  process.exit(1);
}

function readSettings(names: string[]) {
  const values: Record<string, string | undefined> = {};
  const errors = new Map<string, string>();
  for (const name of names) {
    const file = process.env[`${name}_FILE`];
    values[name] = process.env[name];
    if (file === undefined) continue;
    if (values[name] !== undefined) errors.set(name, `is set twice: by itself and by ${name}_FILE`);
    try {
      values[name] = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      errors.set(name, `cannot be read from ${name}_FILE: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  return { values, errors };
}
