import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { isRedisUrl, REDIS_URL_FORM } from "../datastores/redisUrl.ts";

/** A list of hosts, separated by commas. */
export const hostList = z
  .string()
  .default("")
  .transform((list) =>
    list
      .split(",")
      .map((host) => host.trim())
      .filter((host) => host !== ""),
  );

/** Schemas of the settings that every service has, by environment variable. */
export const commonConfig = {
  HOST: z.string().default("127.0.0.1").describe("Address to listen on"),
  PORT: z.coerce.number().int().min(0).max(65535).describe("Port to listen on; 0 takes a free one"),
  INSTANCE: z.string().min(1).default(hostname()).describe("Name of this process in logs and events"),
  REDIS_URL: z
    .string()
    .refine(isRedisUrl, REDIS_URL_FORM)
    .describe("Redis server or cluster for events and shared rate limits"),
  INTERNAL_SECRET: z.string().min(16).describe("Shared secret of calls between services"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "silent"])
    .default("info")
    .describe("Least level logged"),
};

/**
 * Returns a service's settings from the environment. `NAME_FILE` names a file that contains the value of `NAME`, for
 * mounted secrets. If a setting is invalid, it prints every error without the values and ends the process with exit
 * code 1. Do not give a secret a default.
 * @param schema one key per environment variable
 */
export function loadConfig<T extends z.ZodRawShape>(schema: z.ZodObject<T>): z.output<z.ZodObject<T>> {
  const { values, errors } = readSettings(Object.keys(schema.shape));
  const parsed = schema.safeParse(values);
  if (parsed.success && errors.size === 0) return parsed.data;
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    const error = values[name] === undefined ? "is missing" : `is invalid: ${message}`;
    if (!errors.has(name)) errors.set(name, error);
  }
  for (const [name, error] of errors) {
    const description = (schema.shape[name] as z.ZodType | undefined)?.description;
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
