import { password as passwordRule } from "@messageoh/contracts/fields";
import { safeParse } from "@messageoh/contracts/parse";
import { passwordWeakness } from "@messageoh/contracts/passwordWeakness";
import bcrypt from "bcrypt";
import type { Connection } from "mongoose";
import { createSessions } from "../sessions/session.model.ts";
import { createUserModel, nameKey, type UserRow } from "../users/user.model.ts";

/** A command of an operator that failed. The message is for the operator. */
export class AccountError extends Error {}

/**
 * Returns the account commands for operators. They change the database directly; other services poll svc-users and
 * close the connections of ended sessions within two seconds.
 * @param cost bcrypt cost of new passwords
 */
export function createAccounts(connection: Connection, cost: number) {
  const users = createUserModel(connection);
  // These lifetimes never expire a session, so that every session is found and ended.
  const sessions = createSessions(connection, { idleDays: Number.MAX_SAFE_INTEGER, maxDays: 100_000 });

  async function change(name: string, update: object): Promise<UserRow> {
    const user = await users.findOneAndUpdate({ name_key: nameKey(name) }, update).lean<UserRow>();
    if (!user) throw new AccountError(`There is no account named ${JSON.stringify(name)}`);
    return user;
  }
  const endAll = async (user: UserRow) => `ended ${(await sessions.endAll(user._id)).length} sessions`;

  return {
    /** Prevents sign-ins until `restore`, and ends all sessions. */
    suspend: async (name: string) => endAll(await change(name, { $set: { suspended_at: new Date() } })),

    async restore(name: string) {
      await change(name, { $unset: { suspended_at: 1 } });
      return "the user can log in again";
    },

    endSessions: async (name: string) => endAll(await change(name, {})),

    async setPassword(name: string, password: string) {
      const issue = safeParse(passwordRule, password).error?.message ?? passwordWeakness(password, name);
      if (issue) throw new AccountError(issue);
      const password_hash = await bcrypt.hash(password, cost);
      return endAll(await change(name, { $set: { password_hash }, $inc: { password_version: 1 } }));
    },
  };
}
