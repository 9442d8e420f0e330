import { type Logger, pino } from "pino";

export type { Logger };

/**
 * JSON logs on standard output, one line per event.
 * @param instance the process' name, on every line
 */
export function createLogger(instance: string, level: string): Logger {
  return pino({
    level,
    base: { instance },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ["password", "token", "*.password", "*.token"],
  });
}
