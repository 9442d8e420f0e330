import type { DeletedTexts, Privacy, Profile, User } from "@messageoh/contracts/users";
import { type Connection, Schema, Types } from "mongoose";

/** A former name of a user, which is kept from others for a while. */
export interface HeldName {
  skeletons: string[];
  until: Date;
}

export interface UserRow {
  _id: string;
  name: string;
  /** The name in lower case and Unicode form NFKC, for uniqueness, order and search. */
  name_key: string;
  /** Parts of the key, for searches; see {@link nameParts}. Empty for a deleted account. */
  name_parts?: string[];
  /**
   * Skeletons of the name and of held names, for uniqueness; see {@link nameSkeletons}. Absent if an older account has
   * a name that looks the same.
   */
  name_skeletons?: string[];
  held_names?: HeldName[];
  password_hash: string;
  /** Number of password changes. A new hash of the same password does not count. */
  password_version?: number;
  /** Set if the account is deleted. The document remains for the friends and for the held name. */
  deleted_at?: Date;
  /** The deletion of the account, as a job. */
  deletion?: { texts: DeletedTexts; is_open?: boolean; is_closed?: boolean; finished_at?: Date };
  /** Set while the user is suspended by an operator. */
  suspended_at?: Date;
  avatar_id: string;
  /** Absent until the user chooses it: everyone. */
  who_may_add?: Privacy["who_may_add"];
  /** Names the user's link. Absent until the user asks for it. */
  invite_token?: string;
  created_at: Date;
  /** Number of friendships that were created, so that concurrent ones of a user conflict. */
  friends_version?: number;
}

const schema = new Schema<UserRow>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    name_key: { type: String, required: true },
    name_parts: { type: [String], default: undefined },
    name_skeletons: { type: [String], default: undefined },
    held_names: { type: [{ _id: false, skeletons: [String], until: Date }], default: undefined },
    deleted_at: Date,
    deletion: { type: { _id: false, texts: String, is_open: Boolean, is_closed: Boolean, finished_at: Date } },
    password_version: Number,
    suspended_at: Date,
    password_hash: String,
    avatar_id: { type: String, required: true },
    who_may_add: String,
    invite_token: String,
    created_at: { type: Date, required: true },
    friends_version: Number,
  },
  { versionKey: false },
);
// Registration (unique names), sign-in (find by name), order of the user list, search by the beginning of a name.
schema.index({ name_key: 1 }, { unique: true });
// Search by another part of a name.
schema.index({ name_parts: 1 });
// Registration: no new name looks like an existing one. Sparse, because older names may look the same.
schema.index({ name_skeletons: 1 }, { unique: true, sparse: true });
schema.index({ invite_token: 1 }, { unique: true, sparse: true });

// Deletions that svc-messages works on, or has just finished.
schema.index({ "deletion.is_open": 1 }, { sparse: true });
schema.index({ "deletion.finished_at": 1 }, { sparse: true });

export type UserModel = ReturnType<typeof createUserModel>;
export const createUserModel = (connection: Connection) => connection.model("User", schema, "users");

/** Returns the key of a name. Names that differ only in case or Unicode form have the same key. */
export const nameKey = (name: string) => name.trim().normalize("NFKC").toLowerCase();

export const newId = () => new Types.ObjectId().toHexString();

/** Returns the public part of a stored user. */
export const toUser = (row: Pick<UserRow, "_id" | "name" | "avatar_id">): User => ({
  id: row._id,
  name: row.name,
  avatar_id: row.avatar_id,
});

/** Returns what a user sees of the own account. */
export const toProfile = (row: UserRow): Profile => ({ ...toUser(row), created_at: row.created_at.toISOString() });
