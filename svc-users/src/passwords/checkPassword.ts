import { createHmac } from "node:crypto";
import type { Logger } from "@messageoh/service-kit/logger";
import type { RateLimit } from "@messageoh/service-kit/rateLimit";
import type { Limits } from "../limits/rateLimits.ts";
import { nameKey, type UserRow } from "../users/user.model.ts";
import type { Passwords } from "./passwords.ts";

interface Attempt {
  password: string;
  address: string;
  /** Called only while no limit is exceeded. */
  findUser: () => Promise<UserRow | null>;
}
export interface LogInAttempt extends Attempt {
  name: string;
  /** The token of a browser that has signed in under this name before. */
  device: string | undefined;
  logger: Logger;
}

/** A limit of failures: an attempt counts as one before the password is looked at, so that many at once are no way around. */
interface Guard {
  limit: RateLimit;
  key: string;
  /** Undoes the count of an attempt that was right. */
  undo: "forget" | "giveBack";
}

/**
 * Makes the check of passwords. Guesses from elsewhere slow down nobody who has signed in on their device before, and
 * nobody who changes their password in an open session.
 * @param secret keys the hashes of names in the log, so that the log alone does not tell who it is about
 */
export function createPasswordCheck({ passwords, limits }: { passwords: Passwords; limits: Limits }, secret: string) {
  const hashOf = (key: string) => createHmac("sha256", secret).update(`name in log ${key}`).digest("hex").slice(0, 16);

  async function check({ password, address, findUser }: Attempt, guards: Guard[]): Promise<UserRow | null> {
    for (const { limit, key } of guards) {
      await limit.take(key).catch((refusal) => {
        passwords.failed(address);
        throw refusal;
      });
    }
    const user = await findUser();
    if (!(await passwords.matches(password, user?.password_hash, address))) return null;
    for (const { limit, key, undo } of guards) await limit[undo](key);
    return user;
  }

  return {
    /** Returns the user who logs in; null when the password is wrong or there is no such user. */
    async ofLogIn(attempt: LogInAttempt): Promise<UserRow | null> {
      const { name, address, device, logger } = attempt;
      const key = nameKey(name);
      const guards: Guard[] = device
        ? [{ limit: limits.failedLogins, key: `device ${device}`, undo: "forget" }]
        : [
            { limit: limits.failedLogins, key: `${address} ${key}`, undo: "forget" },
            { limit: limits.failedLoginsOfAddress, key: address, undo: "giveBack" },
            { limit: limits.failedLoginsFromAnywhere, key, undo: "giveBack" },
          ];
      const log = (outcome: string) =>
        logger.warn({ address, name_hash: hashOf(key), known_device: device !== undefined }, outcome);
      try {
        const user = await check(attempt, guards);
        if (!user) log("log-in failed");
        return user;
      } catch (error) {
        if ((error as { status?: number }).status === 429) log("log-in refused");
        throw error;
      }
    },

    /** Returns the session's user when this is their password, otherwise null. */
    ofSession: (sessionId: string, attempt: Attempt): Promise<UserRow | null> =>
      check(attempt, [{ limit: limits.wrongOldPasswords, key: sessionId, undo: "forget" }]),
  };
}
