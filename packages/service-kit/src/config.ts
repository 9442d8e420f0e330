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
 * Reads a service's settings once, at its start. Prints every fault, never a value, and ends the process when one is
 * wrong, so that nothing runs half configured. What is secret must have no default here.
 * @param schema one key per environment variable
 */
export function loadConfig<T extends z.ZodRawShape>(schema: z.ZodObject<T>): z.output<z.ZodObject<T>> {
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0]);
    const what = (schema.shape[name] as z.ZodType | undefined)?.description;
    const fault = process.env[name] === undefined ? "is missing" : `is wrong: ${message}`;
    console.error(`Setting ${name} ${fault}${what ? ` (${what})` : ""}`);
  }
  process.exit(1);
}
