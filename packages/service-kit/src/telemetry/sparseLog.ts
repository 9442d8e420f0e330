import type { Logger } from "./logger.ts";

const EVERY_MS = 10_000;

export type SparseLog = ReturnType<typeof createSparseLog>;

/**
 * Creates a log for warnings that a client can cause at will. The first one of a key is logged at once; those of the next
 * ten seconds become one line that says how many they were (`times`).
 * @returns the function that logs; `key` names what is counted together, for instance a user and a reason
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
    }, EVERY_MS).unref();
  };
}
