import { createHmac } from "node:crypto";
import type { Session } from "@messageoh/contracts/internal/users";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import type { Logger } from "@messageoh/service-kit/logger";
import type { RateLimit } from "@messageoh/service-kit/rateLimit";
import type { Limits } from "../limits/rateLimits.ts";
import { nameKey, type UserModel, type UserRow } from "../users/user.model.ts";
import type { Passwords } from "./passwords.ts";

interface PasswordCheckDeps {
  users: UserModel;
  passwords: Passwords;
  limits: Limits;
}
interface Attempt {
  password: string;
  address: string;
  isGone: () => boolean;
}
interface LogInAttempt extends Attempt {
  name: string;
  /** Device token of a browser that has logged in with this name before. */
  device: string | undefined;
  logger: Logger;
}

/**
 * Attempts with the same name and address, device or session run one after another, so that a correct one is taken back
 * before the next one counts.
 */
const ATTEMPTS = { waitingPerKey: 20 };

/** A limit of failures. It counts an attempt before the password is checked, so parallel attempts cannot exceed it. */
interface FailureLimit {
  limit: RateLimit;
  key: string;
  /** How a successful attempt is taken back. */
  undo: "forget" | "giveBack";
}

/**
 * Returns the password checks. Guesses by strangers do not limit users who have logged in on their device before, or
 * who change the password in an open session.
 * @param secret key for the hashes of names in the log, so that the log alone does not identify users
 */
export function createPasswordCheck({ users, passwords, limits }: PasswordCheckDeps, secret: string) {
  const hashOf = (key: string) => createHmac("sha256", secret).update(`name in log ${key}`).digest("hex").slice(0, 16);

  const inTurn = createFairQueue(ATTEMPTS);

  /** Looks the user up only if no limit is exceeded. */
  const check = (
    { password, address, isGone }: Attempt,
    user: Partial<UserRow>,
    counted: readonly [FailureLimit, ...FailureLimit[]],
  ): Promise<UserRow | null> =>
    inTurn(counted[0].key, isGone, async () => {
      const taken: FailureLimit[] = [];
      try {
        for (const one of counted) {
          taken.push(one);
          await one.limit.take(one.key).catch((refusal) => {
            passwords.failed(address);
            throw refusal;
          });
        }
        const row = await users.findOne(user).lean<UserRow>();
        if (!(await passwords.matches(password, row?.password_hash, address, isGone))) return null;
        for (const { limit, key, undo } of counted) await limit[undo](key);
        return row;
      } catch (error) {
        // The password was not checked.
        for (const { limit, key } of taken) await limit.giveBack(key);
        throw error;
      }
    });

  return {
    /** Returns the user, or `null` if the name or the password is wrong. Rejects with 429 if a limit is exceeded. */
    async ofLogIn(attempt: LogInAttempt): Promise<UserRow | null> {
      const { name, address, device, logger } = attempt;
      const key = nameKey(name);
      const counted: [FailureLimit, ...FailureLimit[]] = device
        ? [{ limit: limits.failedLogins, key: `device ${device}`, undo: "forget" }]
        : [
            { limit: limits.failedLogins, key: `${address} ${key}`, undo: "forget" },
            { limit: limits.failedLoginsOfAddress, key: address, undo: "giveBack" },
            { limit: limits.failedLoginsFromAnywhere, key, undo: "giveBack" },
          ];
      const log = (outcome: string) =>
        logger.warn({ address, name_hash: hashOf(key), known_device: device !== undefined }, outcome);
      try {
        const user = await check(attempt, { name_key: key }, counted);
        if (!user) log("log-in failed");
        return user;
      } catch (error) {
        if ((error as { status?: number }).status === 429) log("log-in refused");
        throw error;
      }
    },

    /** Returns the session's user, or `null` if the password is wrong. Rejects with 429 if a limit is exceeded. */
    ofSession: ({ session_id, user }: Session, attempt: Attempt): Promise<UserRow | null> =>
      check(attempt, { _id: user.id }, [{ limit: limits.wrongOldPasswords, key: session_id, undo: "forget" }]),
  };
}
