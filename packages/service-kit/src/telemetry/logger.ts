import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/**
 * Returns a logger that writes one JSON line per event. Fields `password` and `token` are redacted.
 * @param instance name of the process, on every line
 * @param level least level that is logged
 * @param destination standard output by default
 */
export function createLogger(instance: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { instance },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ["password", "token", "*.password", "*.token"],
  };
  return destination ? pino(options, destination) : pino(options);
}
