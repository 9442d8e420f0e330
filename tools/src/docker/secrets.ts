import { randomBytes } from "node:crypto";

/** The secrets in docker-compose.yml. The keys of push notifications and of S3 are optional. */
export const SECRETS = [
  "MONGO_ROOT_PASSWORD",
  "MONGO_USERS_PASSWORD",
  "MONGO_MESSAGES_PASSWORD",
  "MONGO_MEDIA_PASSWORD",
  "MONGO_REPLICA_KEY",
  "REDIS_PASSWORD",
  "INTERNAL_SECRET",
  "VAPID_PRIVATE_KEY",
  "S3_SECRET_KEY",
];

/** Returns the lines of an .env file with a random value for each secret that `existing`, the content of one, lacks. */
export function newSecrets(existing = ""): string {
  // Hexadecimal, because the values are parts of URLs and of a key file. Any such
  // number is a valid VAPID key.
  return SECRETS.filter((name) => !new RegExp(`^${name}=`, "m").test(existing))
    .map((name) => `${name}=${randomBytes(32).toString("hex")}\n`)
    .join("");
}
