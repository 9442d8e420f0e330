import type { Session } from "@messageoh/contracts/internal/users";
import { RunningCalls } from "@messageoh/service-kit/runningCalls";
import { JOIN_LOOKUP_MS } from "@messageoh/service-kit/sessionCache";
import { toUser, type UserModel, type UserRow } from "../users/user.model.ts";
import type { SessionRow, Sessions } from "./session.model.ts";

interface Found {
  row: SessionRow;
  session: Session;
}

/**
 * Creates the lookups of active sessions by token. A session that this process ends is not found any more, even by a
 * lookup that began before.
 */
export function createSessionLookup(sessions: Sessions, users: UserModel) {
  async function read(tokens: readonly string[]): Promise<(Found | null)[]> {
    const rows = await sessions.find(tokens);
    const userIds = rows.flatMap((row) => row?.user_id ?? []);
    const found = await users.find({ _id: { $in: userIds } }).lean<UserRow[]>();
    const userOf = new Map(found.map((user) => [user._id, user]));
    return rows.map((row) => {
      const user = row && userOf.get(row.user_id);
      const isActive = user && !user.suspended_at && !user.deleted_at;
      return isActive ? { row, session: { session_id: row.public_id, user: toUser(user) } } : null;
    });
  }
  const reads = new RunningCalls<Found | null>();
  const readOne = (token: string) => reads.join(token, async () => (await read([token]))[0] ?? null, JOIN_LOOKUP_MS);
  const sessionOf = (found: Found | null) => (found && !sessions.hasJustEnded(found.row) ? found.session : null);

  return {
    /** Resolves with the active session of a token, or `null`. */
    find: async (token: string | undefined): Promise<Session | null> =>
      token ? sessionOf(await readOne(token)) : null,
    /** Resolves with the active session of each token, or `null`. */
    findAll: async (tokens: readonly string[]): Promise<(Session | null)[]> => (await read(tokens)).map(sessionOf),
  };
}
