import type { User } from "@messageoh/contracts/users";
import { type Connection, Schema, Types } from "mongoose";

export interface UserRow {
  _id: string;
  name: string;
  /** The name without regard to case or form, for uniqueness and search. */
  name_key: string;
  /**
   * How the name looks, see {@link nameSkeletons}; for uniqueness. Absent while an older account with a name that looks
   * the same holds these.
   */
  name_skeletons?: string[];
  password_hash: string;
  /** Counts changes of the password. A new hash of the same password is not one. */
  password_version?: number;
  /** Set while an operator keeps this user out. */
  suspended_at?: Date;
  avatar_id: string;
  created_at: Date;
}

const schema = new Schema<UserRow>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    name_key: { type: String, required: true },
    name_skeletons: { type: [String], default: undefined },
    password_version: Number,
    suspended_at: Date,
    password_hash: { type: String, required: true },
    avatar_id: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  { versionKey: false },
);
// Registration (a name is taken once) and login (find by name); also the order of the user list.
schema.index({ name_key: 1 }, { unique: true });
// Registration: no two names look the same. Sparse, because names from before this rule may.
schema.index({ name_skeletons: 1 }, { unique: true, sparse: true });

export type UserModel = ReturnType<typeof createUserModel>;
export const createUserModel = (connection: Connection) => connection.model("User", schema, "users");

/** Names are the same name when they differ in case or in Unicode form only. */
export const nameKey = (name: string) => name.trim().normalize("NFKC").toLowerCase();

export const newId = () => new Types.ObjectId().toHexString();

/** A stored user as everybody may see it. */
export const toUser = (row: Pick<UserRow, "_id" | "name" | "avatar_id">): User => ({
  id: row._id,
  name: row.name,
  avatar_id: row.avatar_id,
});
