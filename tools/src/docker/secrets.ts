import { randomBytes } from "node:crypto";

/** The secrets that docker-compose.yml asks for. */
export const SECRETS = [
  "MONGO_ROOT_PASSWORD",
  "MONGO_USERS_PASSWORD",
  "MONGO_MESSAGES_PASSWORD",
  "MONGO_REPLICA_KEY",
  "REDIS_PASSWORD",
  "INTERNAL_SECRET",
];

/** The lines of an .env file with a new random value for every secret of docker-compose.yml. */
export function newSecrets(): string {
  // Hexadecimal, because the values are parts of URLs and of a key file.
  return SECRETS.map((name) => `${name}=${randomBytes(32).toString("hex")}\n`).join("");
}
