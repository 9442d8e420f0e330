import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/**
 * JSON logs, one line per event, on standard output if nothing else is given.
 * @param instance the process' name, on every line
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
