import type { Logger } from "./logger.ts";

const INTERVAL_MS = 10_000;

export type SparseLog = ReturnType<typeof createSparseLog>;

/**
 * Returns a function that logs warnings that clients can cause in any number. It logs the first warning of a key at
 * once, and those of the next 10 seconds as one line with their number (`times`). A key is, for example, a user and a
 * reason.
 */
export function createSparseLog(logger: Logger) {
  const more = new Map<string, number>();
  return (key: string, fields: object, message: string): void => {
    const times = more.get(key);
    if (times !== undefined) return void more.set(key, times + 1);
    more.set(key, 0);
    logger.warn(fields, message);
    setTimeout(() => {
      const times = more.get(key);
      more.delete(key);
      if (times) logger.warn({ ...fields, times }, message);
    }, INTERVAL_MS).unref();
  };
}
