import { createHash, randomBytes } from "node:crypto";
import { type Connection, Schema } from "mongoose";

export interface SessionRow {
  /** SHA-256 of the token: the database alone is not enough to take over a session. */
  _id: string;
  /** The session's id for everybody else; independent of the token. */
  public_id: string;
  user_id: string;
  device: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  /** When the browser got the cookie's `Max-Age` last; absent until the first renewal. */
  renewed_at?: Date;
  /** Set when the session was ended. The row stays for a day, so that the other services cannot miss its end. */
  ended_at?: Date;
  /** The `public_id` of a session that has ended. */
  ended_id?: string;
}
export type EndedSession = Required<Pick<SessionRow, "ended_id" | "user_id" | "ended_at">>;

const schema = new Schema<SessionRow>(
  {
    _id: { type: String, required: true },
    public_id: String,
    user_id: { type: String, required: true },
    device: { type: String, required: true },
    created_at: { type: Date, required: true },
    last_used_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    renewed_at: Date,
    ended_at: Date,
    ended_id: String,
  },
  { versionKey: false },
);
// MongoDB deletes a session by itself once it has expired.
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
// A user's sessions, to list and to end them.
schema.index({ user_id: 1 });
// Ended sessions, in the order in which the other services learn of them.
schema.index({ ended_at: 1 }, { sparse: true });

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The last use is written at this interval, not at every call. */
const TOUCH_EVERY_MS = 5 * 60 * 1_000;
const SESSIONS_PER_USER_MAX = 100;
export const ENDED_PAGE = 1_000;

/**
 * One atomic update ends a session and records its end, with the clock of the database. Releases from before `ended_at`
 * take a session without `public_id` for over, so a rollback revives none.
 */
const END = [
  { $set: { ended_at: "$$NOW", ended_id: "$public_id", expires_at: { $add: ["$$NOW", DAY_MS] } } },
  { $unset: "public_id" },
];

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

export interface Lifetimes {
  /** A session ends when it is not used for this long. */
  idleDays: number;
  /** A session ends at this age, however much it is used. */
  maxDays: number;
}
export type Sessions = ReturnType<typeof createSessions>;

/** The sessions of all users. */
export function createSessions(connection: Connection, { idleDays, maxDays }: Lifetimes) {
  const model = connection.model("Session", schema, "sessions");
  // A session from before public ids is over: its user logs in once more.
  const living = () => ({
    expires_at: { $gt: new Date() },
    created_at: { $gt: new Date(Date.now() - maxDays * DAY_MS) },
    public_id: { $exists: true },
    ended_at: { $exists: false },
  });
  const expiryOf = (createdAt: number) =>
    new Date(Math.min(Date.now() + idleDays * DAY_MS, createdAt + maxDays * DAY_MS));

  /** Ends those sessions of the filter that live, and returns them. */
  async function endRows(filter: object): Promise<SessionRow[]> {
    const rows = await model.find({ ...living(), ...filter }).lean<SessionRow[]>();
    const those = { _id: { $in: rows.map((row) => row._id) }, ended_at: { $exists: false } };
    if (rows.length > 0) await model.collection.updateMany(those as never, END);
    return rows;
  }
  const endWhere = async (filter: object) => (await endRows(filter)).map((row) => row.public_id);

  return {
    model,

    /** Starts a session. Its token is stored nowhere. A user's least used sessions beyond a hundred end. */
    async start(user_id: string, device: string): Promise<{ token: string; expiresAt: Date; ended: string[] }> {
      const token = randomBytes(32).toString("base64url");
      const now = new Date();
      const expires_at = expiryOf(now.getTime());
      const row: SessionRow = {
        _id: hashToken(token),
        public_id: randomBytes(12).toString("hex"),
        user_id,
        device,
        created_at: now,
        last_used_at: now,
        expires_at,
      };
      await model.collection.insertOne(row as never);
      const surplus = await model
        .find({ user_id, ...living() }, { _id: 1 })
        .sort({ last_used_at: -1 })
        .skip(SESSIONS_PER_USER_MAX)
        .lean<Pick<SessionRow, "_id">[]>();
      const ended = surplus.length > 0 ? await endWhere({ _id: { $in: surplus.map(({ _id }) => _id) } }) : [];
      return { token, expiresAt: expires_at, ended };
    },

    /** Returns the living session behind a token, or `null`. Use postpones its end. */
    async find(token: string): Promise<SessionRow | null> {
      const now = Date.now();
      const row = await model.findOne({ _id: hashToken(token), ...living() }).lean<SessionRow>();
      if (row && now - row.last_used_at.getTime() > TOUCH_EVERY_MS) {
        row.expires_at = expiryOf(row.created_at.getTime());
        await model.updateOne(
          { _id: row._id, ended_at: { $exists: false } },
          { $set: { last_used_at: new Date(now), expires_at: row.expires_at } },
        );
      }
      return row;
    },

    /** Whether it is time to send the browser its cookie again; true for one caller a day. */
    async isRenewalDue({ _id, created_at, renewed_at = created_at }: SessionRow): Promise<boolean> {
      if (Date.now() - renewed_at.getTime() < DAY_MS) return false;
      const before = { $or: [{ renewed_at }, { renewed_at: { $exists: false } }] };
      return (await model.updateOne({ _id, ...before }, { $set: { renewed_at: new Date() } })).modifiedCount > 0;
    },

    /** A user's living sessions, the last used first. */
    list: (user_id: string): Promise<SessionRow[]> =>
      model
        .find({ user_id, ...living() })
        .sort({ last_used_at: -1 })
        .limit(SESSIONS_PER_USER_MAX)
        .lean<SessionRow[]>(),

    /** Whether a user's session has not ended. */
    isLiving: async (user_id: string, public_id: string): Promise<boolean> =>
      (await model.exists({ ...living(), user_id, public_id })) !== null,

    /** Returns whether there was such a session of this user. */
    end: async (user_id: string, public_id: string): Promise<boolean> =>
      (await endWhere({ user_id, public_id })).length > 0,

    /** Ends a user's sessions, except one if it is named, and returns their ids. */
    endAll: (user_id: string, exceptId?: string): Promise<string[]> =>
      endWhere(exceptId === undefined ? { user_id } : { user_id, public_id: { $ne: exceptId } }),

    /** Ends the living session behind a token and returns it; null when there is none. */
    endByToken: async (token: string): Promise<SessionRow | null> =>
      (await endRows({ _id: hashToken(token) }))[0] ?? null,

    /** Sessions that ended at `since` or later, in order, at most {@link ENDED_PAGE}. */
    endedSince: (since: Date): Promise<EndedSession[]> =>
      model
        .find({ ended_at: { $gte: since } }, { ended_id: 1, user_id: 1, ended_at: 1 })
        .sort({ ended_at: 1 })
        .limit(ENDED_PAGE)
        .lean<EndedSession[]>(),
  };
}
