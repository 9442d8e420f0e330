import { createHmac } from "node:crypto";
import type { Db } from "mongodb";

const USER_NOT_FOUND = 11;

/** Users of the stack's MongoDB. Each service has access to its own database only, `operator` to all. */
const ROLES = {
  "svc-users": [{ role: "readWrite", db: "users" }],
  "svc-messages": [{ role: "readWrite", db: "messages" }],
  "svc-media": [{ role: "readWrite", db: "media" }],
  operator: [{ role: "root", db: "admin" }],
};
export type MongoUser = keyof typeof ROLES;
export const MONGO_USERS = Object.keys(ROLES) as MongoUser[];

/** Passwords derive from the key, so the key file is the only secret to keep. `__system` is the servers' own user. */
function passwordOf(user: MongoUser | "__system", key: string): string {
  return user === "__system" ? key : createHmac("sha256", key).update(user).digest("base64url");
}

/**
 * Returns the connection string of a user.
 * @param servers hosts and options, as `127.0.0.1:1,127.0.0.1:2/?replicaSet=rs0`
 */
export function mongoUrl(user: MongoUser | "__system", key: string, servers: string): string {
  const database = user === "__system" ? "local" : "admin";
  return `mongodb://${user}:${passwordOf(user, key)}@${servers}&authSource=${database}`;
}

/** Creates the users, or sets the passwords and roles of those that exist already. */
export async function ensureUsers(admin: Db, key: string): Promise<void> {
  for (const user of MONGO_USERS) {
    const settings = { pwd: passwordOf(user, key), roles: ROLES[user] };
    await admin.command({ updateUser: user, ...settings }).catch((error: { code?: number }) => {
      if (error.code !== USER_NOT_FOUND) throw error;
      return admin.command({ createUser: user, ...settings });
    });
  }
}
