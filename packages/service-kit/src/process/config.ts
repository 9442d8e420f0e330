import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

/** Settings that every service has, each from the environment variable of the same name. */
export const commonConfig = {
  HOST: z.string().default("127.0.0.1").describe("Address to listen on"),
  PORT: z.coerce.number().int().min(0).max(65535).describe("Port to listen on; 0 takes a free one"),
  INSTANCE: z.string().min(1).default(hostname()).describe("Name of this process in logs and events"),
  REDIS_URL: z.url().describe("Redis that carries the events"),
  INTERNAL_SECRET: z.string().min(16).describe("Shared secret of calls between services"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
};

/**
 * Reads a service's settings once, at its start. `NAME_FILE` names a file that holds the value of `NAME`, as mounted
 * secrets do. Prints every fault, never a value, and ends the process if there is one, so that nothing runs half
 * configured. A secret must have no default here.
 * @param schema one key per environment variable
 */
export function loadConfig<T extends z.ZodRawShape>(schema: z.ZodObject<T>): z.output<z.ZodObject<T>> {
  const { values, faults } = readSettings(Object.keys(schema.shape));
  const parsed = schema.safeParse(values);
  if (parsed.success && faults.size === 0) return parsed.data;
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    const fault = values[name] === undefined ? "is missing" : `is wrong: ${message}`;
    if (!faults.has(name)) faults.set(name, fault);
  }
  for (const [name, fault] of faults) {
    const what = (schema.shape[name] as z.ZodType | undefined)?.description;
    console.error(`Setting ${name} ${fault}${what ? ` (${what})` : ""}`);
  }
  process.exit(1);
}

function readSettings(names: string[]) {
  const values: Record<string, string | undefined> = {};
  const faults = new Map<string, string>();
  for (const name of names) {
    const file = process.env[`${name}_FILE`];
    values[name] = process.env[name];
    if (file === undefined) continue;
    if (values[name] !== undefined) faults.set(name, `is set twice: by itself and by ${name}_FILE`);
    try {
      values[name] = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      faults.set(name, `cannot be read from ${name}_FILE: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  return { values, faults };
}
