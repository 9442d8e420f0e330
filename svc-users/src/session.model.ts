import { createHash, randomBytes } from "node:crypto";
import { type Connection, Schema } from "mongoose";

export interface SessionRow {
  /** SHA-256 of the token: who reads the database cannot take over a session. */
  _id: string;
  /** What others call this session: says nothing of the token. */
  public_id: string;
  user_id: string;
  device: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

const schema = new Schema<SessionRow>(
  {
    _id: { type: String, required: true },
    public_id: { type: String, required: true },
    user_id: { type: String, required: true },
    device: { type: String, required: true },
    created_at: { type: Date, required: true },
    last_used_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
);
// MongoDB deletes a session by itself once it has expired.
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
// A user's sessions, to list and to end them.
schema.index({ user_id: 1 });

const DAY_MS = 24 * 60 * 60 * 1000;
/** Use is written down this often, not at every call. */
const TOUCH_EVERY_MS = 5 * 60 * 1000;

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

export type Sessions = ReturnType<typeof createSessions>;

/** The sessions of all users. */
export function createSessions(connection: Connection, daysUnused: number) {
  const model = connection.model("Session", schema, "sessions");
  const lifetimeMs = daysUnused * DAY_MS;
  // One from before sessions had a public id is over: whoever has it logs in once more.
  const living = () => ({ expires_at: { $gt: new Date() }, public_id: { $exists: true } });

  return {
    model,
    lifetimeMs,

    /** Starts a session and gives its token, which is nowhere stored. */
    async start(userId: string, device: string): Promise<string> {
      const token = randomBytes(32).toString("base64url");
      const now = Date.now();
      await model.collection.insertOne({
        _id: hashToken(token),
        public_id: randomBytes(12).toString("hex"),
        user_id: userId,
        device,
        created_at: new Date(now),
        last_used_at: new Date(now),
        expires_at: new Date(now + lifetimeMs),
      } as never);
      return token;
    },

    /** The living session behind a token. Its end moves away with use. */
    async find(token: string): Promise<SessionRow | null> {
      const now = Date.now();
      const row = await model.findOne({ _id: hashToken(token), ...living() }).lean<SessionRow>();
      if (row && now - row.last_used_at.getTime() > TOUCH_EVERY_MS) {
        const used = { last_used_at: new Date(now), expires_at: new Date(now + lifetimeMs) };
        await model.updateOne({ _id: row._id }, { $set: used });
      }
      return row;
    },

    /** A user's living sessions, the last used first. */
    list: (user_id: string): Promise<SessionRow[]> =>
      model
        .find({ user_id, ...living() })
        .sort({ last_used_at: -1 })
        .lean<SessionRow[]>(),

    /** Whether there was such a session of this user. */
    async end(user_id: string, public_id: string): Promise<boolean> {
      return (await model.deleteOne({ user_id, public_id })).deletedCount > 0;
    },

    /** Ends a user's sessions, but for one if it is named. Gives the ids of those that ended. */
    async endAll(user_id: string, exceptId?: string): Promise<string[]> {
      const rows = await model.find({ user_id }, { public_id: 1 }).lean<Pick<SessionRow, "public_id">[]>();
      const ids = rows.map((row) => row.public_id).filter((id) => id !== exceptId);
      await model.deleteMany({ user_id, public_id: { $in: ids } });
      return ids;
    },
  };
}
