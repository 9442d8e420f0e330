import type { User } from "@messageoh/contracts/users";
import { type Connection, Schema, Types } from "mongoose";

export interface UserRow {
  _id: string;
  name: string;
  /** The name without regard to case or form, for uniqueness and search. */
  name_key: string;
  password_hash: string;
  avatar_id: string;
  created_at: Date;
}

const schema = new Schema<UserRow>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    name_key: { type: String, required: true },
    password_hash: { type: String, required: true },
    avatar_id: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  { versionKey: false },
);
// Registration (a name is taken once) and login (find by name); also the order of the user list.
schema.index({ name_key: 1 }, { unique: true });

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
