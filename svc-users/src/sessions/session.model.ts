import { createHash, randomBytes } from "node:crypto";
import { atMost } from "@messageoh/service-kit/atMost";
import { QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import { LRUCache } from "lru-cache";
import { type Connection, Schema } from "mongoose";

export interface SessionRow {
  /** SHA-256 of the token, so that a copy of the database does not give access to sessions. */
  _id: string;
  /** The id that users and other services see. It is independent of the token. */
  public_id: string;
  user_id: string;
  device: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  /** Set when the session is ended. The document remains for a day, so that other services cannot miss the end. */
  ended_at?: Date;
  /** The `public_id` of an ended session. The previous release removes `public_id` itself. */
  ended_id?: string;
  /** The session's Web Push subscription. It ends with the session. */
  push?: PushRow;
}

export interface PushRow {
  endpoint: string;
  p256dh: string;
  auth: string;
  shows_text: boolean;
}
type EndedSession = Required<Pick<SessionRow, "ended_id" | "user_id" | "ended_at">>;

const schema = new Schema<SessionRow>(
  {
    _id: { type: String, required: true },
    public_id: String,
    user_id: { type: String, required: true },
    device: { type: String, required: true },
    created_at: { type: Date, required: true },
    last_used_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    ended_at: Date,
    ended_id: String,
    push: { type: { _id: false, endpoint: String, p256dh: String, auth: String, shows_text: Boolean } },
  },
  { versionKey: false },
);
// MongoDB deletes expired sessions.
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
// Lists and ends a user's sessions, without those that ended, of which one user can have hundreds of thousands.
schema.index({ user_id: 1, ended_at: 1 });
// Lists ended sessions in order for other services.
schema.index({ ended_at: 1 }, { sparse: true });
// A push endpoint belongs to one session, so that nobody's messages reach another user's browser.
schema.index({ "push.endpoint": 1 }, { unique: true, sparse: true });

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Minimum interval between updates of `last_used_at`. */
const TOUCH_EVERY_MS = 5 * 60 * 1_000;
const SESSIONS_PER_USER_MAX = 100;
/** Longer than a lookup takes. */
const JUST_ENDED_MS = 10_000;
/** Hashes of tokens, at most about 200 bytes each: 2 MB. */
const JUST_ENDED_MAX = 10_000;

/** Ends a session and records the end in one atomic update, with the clock of the database. */
const END = [
  { $set: { ended_at: "$$NOW", ended_id: "$public_id", expires_at: { $add: ["$$NOW", DAY_MS] } } },
  { $unset: "push" },
];

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

export interface Lifetimes {
  /** Days without use after which a session ends. */
  idleDays: number;
  /** Age in days at which a session ends even if it is in use. */
  maxDays: number;
}
export type Sessions = ReturnType<typeof createSessions>;

/** Returns the functions that start, find, list and end sessions. */
export function createSessions(connection: Connection, { idleDays, maxDays }: Lifetimes) {
  const model = connection.model("Session", schema, "sessions");
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  // The lifetimes may be shorter than when `expires_at` was stored.
  const active = () => ({
    expires_at: { $gt: new Date() },
    last_used_at: { $gt: daysAgo(Math.min(idleDays, maxDays)) },
    created_at: { $gt: daysAgo(maxDays) },
    ended_at: { $exists: false },
  });
  const ofUser = (user_id: string) => ({ user_id, ...active() });
  const expiryOf = (createdAt: number) =>
    new Date(Math.min(Date.now() + idleDays * DAY_MS, createdAt + maxDays * DAY_MS));

  /** Sessions that this process ended, for lookups that read them before. */
  const justEnded = new LRUCache<string, true>({ ...atMost(JUST_ENDED_MAX), ttl: JUST_ENDED_MS });

  /** Extends the lifetimes of sessions that are in use. */
  async function touch(rows: readonly SessionRow[]): Promise<void> {
    const last_used_at = new Date();
    for (const row of rows) row.expires_at = expiryOf(row.created_at.getTime());
    const updates = rows.map(({ _id, expires_at }) => ({
      updateOne: { filter: { _id, ended_at: { $exists: false } }, update: { $set: { last_used_at, expires_at } } },
    }));
    if (updates.length > 0) await model.bulkWrite(updates, { ordered: false });
  }

  /** Ends the active sessions that match the filter and returns them. */
  async function endRows(filter: object): Promise<SessionRow[]> {
    const rows = await model.find({ ...active(), ...filter }).lean<SessionRow[]>();
    const found = { _id: { $in: rows.map((row) => row._id) }, ended_at: { $exists: false } };
    for (const row of rows) justEnded.set(row._id, true);
    if (rows.length > 0) await model.collection.updateMany(found as never, END, { maxTimeMS: QUERY_MAX_MS });
    return rows;
  }
  const endWhere = async (filter: object) => (await endRows(filter)).map((row) => row.public_id);

  return {
    model,
    /** Returns the filter of active sessions. */
    active,

    /**
     * Starts a session. The token itself is not stored. If the user has more than 100 sessions, the least recently used
     * ones end; their ids are returned.
     */
    async start(user_id: string, device: string) {
      const token = randomBytes(32).toString("base64url");
      const now = new Date();
      const row: SessionRow = {
        _id: hashToken(token),
        public_id: randomBytes(12).toString("hex"),
        user_id,
        device,
        created_at: now,
        last_used_at: now,
        expires_at: expiryOf(now.getTime()),
      };
      await model.collection.insertOne(row as never, { maxTimeMS: QUERY_MAX_MS });
      const surplus = await model
        .find(ofUser(user_id), { _id: 1 })
        .sort({ last_used_at: -1 })
        .skip(SESSIONS_PER_USER_MAX)
        .lean<Pick<SessionRow, "_id">[]>();
      const ended = surplus.length > 0 ? await endWhere({ _id: { $in: surplus.map(({ _id }) => _id) } }) : [];
      return { token, publicId: row.public_id, maxAgeSeconds: (maxDays * DAY_MS) / 1_000, ended };
    },

    /** Returns the active session for each token, or `null`, and extends their lifetimes. */
    async find(tokens: readonly string[]): Promise<(SessionRow | null)[]> {
      const ids = tokens.map(hashToken);
      const rows = await model.find({ _id: { $in: ids }, ...active() }).lean<SessionRow[]>();
      await touch(rows.filter((row) => Date.now() - row.last_used_at.getTime() > TOUCH_EVERY_MS));
      const rowOf = new Map(rows.map((row) => [row._id, row]));
      return ids.map((id) => rowOf.get(id) ?? null);
    },

    /** Returns whether this process has ended a session since it was read. */
    hasJustEnded: ({ _id }: SessionRow): boolean => justEnded.has(_id),

    /** Returns a user's active sessions, most recently used first. */
    list: (user_id: string): Promise<SessionRow[]> =>
      model.find(ofUser(user_id)).sort({ last_used_at: -1 }).limit(SESSIONS_PER_USER_MAX).lean<SessionRow[]>(),

    /** Returns whether a user's session is active. */
    isActive: async (user_id: string, public_id: string): Promise<boolean> =>
      (await model.exists({ ...active(), user_id, public_id })) !== null,

    /** Ends a user's session. Returns `false` if it was not active. */
    end: async (user_id: string, public_id: string): Promise<boolean> =>
      (await endWhere({ user_id, public_id })).length > 0,

    /** Ends a user's sessions, except `exceptId`, and returns their ids. */
    endAll: (user_id: string, exceptId?: string): Promise<string[]> =>
      endWhere(exceptId === undefined ? { user_id } : { user_id, public_id: { $ne: exceptId } }),

    /** Ends the active session for a token and returns it, or `null`. */
    endByToken: async (token: string): Promise<SessionRow | null> =>
      (await endRows({ _id: hashToken(token) }))[0] ?? null,

    /** Returns sessions that ended at `since` or later, in order. */
    endedSince: (since: Date, limit: number): Promise<EndedSession[]> =>
      model
        .find({ ended_at: { $gte: since } }, { ended_id: 1, user_id: 1, ended_at: 1 })
        .sort({ ended_at: 1 })
        .limit(limit)
        .lean<EndedSession[]>(),
  };
}
