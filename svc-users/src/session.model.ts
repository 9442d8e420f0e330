import { createHash, randomBytes } from "node:crypto";
import { type Connection, Schema } from "mongoose";

export interface SessionRow {
  /** SHA-256 of the token: who reads the database cannot take over a session. */
  _id: string;
  user_id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

const schema = new Schema<SessionRow>(
  {
    _id: { type: String, required: true },
    user_id: { type: String, required: true },
    created_at: { type: Date, required: true },
    last_used_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { versionKey: false },
);
// MongoDB deletes a session by itself once it has expired.
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const DAY_MS = 24 * 60 * 60 * 1000;
/** Use is written down this often, not at every call. */
const TOUCH_EVERY_MS = 60 * 60 * 1000;

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

export type Sessions = ReturnType<typeof createSessions>;

/** The sessions of all users. A session's id is its token's hash. */
export function createSessions(connection: Connection, daysUnused: number) {
  const model = connection.model("Session", schema, "sessions");
  const lifetimeMs = daysUnused * DAY_MS;
  return {
    model,
    lifetimeMs,

    /** Starts a session and gives its token, which is nowhere stored. */
    async start(userId: string): Promise<string> {
      const token = randomBytes(32).toString("base64url");
      const now = Date.now();
      await model.collection.insertOne({
        _id: hashToken(token),
        user_id: userId,
        created_at: new Date(now),
        last_used_at: new Date(now),
        expires_at: new Date(now + lifetimeMs),
      } as never);
      return token;
    },

    /** The living session behind a token. Its end moves away with use. */
    async find(token: string): Promise<SessionRow | null> {
      const now = Date.now();
      const row = await model.findOne({ _id: hashToken(token), expires_at: { $gt: new Date(now) } }).lean<SessionRow>();
      if (row && now - row.last_used_at.getTime() > TOUCH_EVERY_MS) {
        const used = { last_used_at: new Date(now), expires_at: new Date(now + lifetimeMs) };
        await model.updateOne({ _id: row._id }, { $set: used });
      }
      return row;
    },

    async end(sessionId: string): Promise<void> {
      await model.deleteOne({ _id: sessionId });
    },
  };
}
