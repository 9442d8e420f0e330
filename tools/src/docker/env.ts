import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "@messageoh/stack/command/arguments";
import { repoRoot } from "@messageoh/stack/command/root";
import { newSecrets } from "./secrets.ts";

// npm run docker:env creates .env for docker compose, or adds the secrets that a new release needs. It never replaces
// one, because the users in MongoDB's volume have these passwords.
readArguments(
  "npm run docker:env\n  Writes random secrets for docker compose to .env, and replaces none. It has no options.",
  {},
);
const file = join(repoRoot(), ".env");
const existed = existsSync(file);
if (!existed) writeFileSync(file, "# Secrets for docker compose. Keep a backup.\n", { flag: "wx", mode: 0o600 });
const content = readFileSync(file, "utf8");
const added = newSecrets(content);
appendFileSync(file, content.endsWith("\n") ? added : `\n${added}`);
const names = added.match(/^\w+/gm)?.join(", ");
if (!existed) process.stdout.write(`${file} contains new secrets that only you can read.\n`);
else if (names) process.stdout.write(`${file} has new secrets: ${names}. The others are unchanged.\n`);
else process.stdout.write(`${file} has all secrets and is unchanged.\n`);
