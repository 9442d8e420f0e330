import { text } from "node:stream/consumers";
import { loadConfig, nonEmpty } from "@messageoh/service-kit/config";
import { createLogger } from "@messageoh/service-kit/logger";
import { connectMongo } from "@messageoh/service-kit/mongo";
import * as v from "valibot";
import { bcryptCost } from "../config.ts";
import { AccountError, createAccounts } from "./accounts.ts";

const USAGE = `Usage: npm run account -w svc-users -- COMMAND NAME
  suspend NAME        prevents sign-ins and ends all sessions of the user
  restore NAME        allows a suspended user to log in again
  end-sessions NAME   ends all sessions of the user
  set-password NAME   sets the password to the text on standard input and ends all sessions`;

const [command, name, ...more] = process.argv.slice(2);
const isKnown = ["suspend", "restore", "end-sessions", "set-password"].includes(command ?? "");
if (!isKnown || !name || more.length > 0) {
  console.error(USAGE);
  process.exit(2);
}

const config = loadConfig({
  MONGO_URL: v.pipe(nonEmpty, v.description("MongoDB server of svc-users; its database is named `users`")),
  BCRYPT_COST: bcryptCost,
});
// Other users of the machine can see the arguments of a process, so the password is not one.
const password = command === "set-password" ? (await text(process.stdin)).replace(/\r?\n$/, "") : "";
const connection = await connectMongo(config.MONGO_URL, "users", createLogger("account", "error"));
const accounts = createAccounts(connection, config.BCRYPT_COST);
const run: Record<string, () => Promise<string>> = {
  suspend: () => accounts.suspend(name),
  restore: () => accounts.restore(name),
  "end-sessions": () => accounts.endSessions(name),
  "set-password": () => accounts.setPassword(name, password),
};
try {
  console.log(`${name}: ${await run[command as string]?.()}`);
} catch (error) {
  if (!(error instanceof AccountError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await connection.close();
}
