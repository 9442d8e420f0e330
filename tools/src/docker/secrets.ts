import { randomBytes } from "node:crypto";

/** The secrets in docker-compose.yml. All but the key of push notifications are required. */
export const SECRETS = [
  "MONGO_ROOT_PASSWORD",
  "MONGO_USERS_PASSWORD",
  "MONGO_MESSAGES_PASSWORD",
  "MONGO_REPLICA_KEY",
  "REDIS_PASSWORD",
  "INTERNAL_SECRET",
  "VAPID_PRIVATE_KEY",
];

/** Returns the lines of an .env file with a random value for every secret. */
export function newSecrets(): string {
  // Hexadecimal, because the values are parts of URLs and of a key file. Any such
  // number is a valid VAPID key.
  return SECRETS.map((name) => `${name}=${randomBytes(32).toString("hex")}\n`).join("");
}
