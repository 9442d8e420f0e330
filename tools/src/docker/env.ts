import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { newSecrets } from "./secrets.ts";

// npm run docker:env creates .env for docker compose. It never replaces the file, because the users in MongoDB's volume
// have these passwords.
const file = join(repoRoot(), ".env");
try {
  writeFileSync(file, `# Secrets for docker compose. Keep a backup.\n${newSecrets()}`, {
    flag: "wx",
    mode: 0o600,
  });
  process.stdout.write(`${file} contains new secrets that only you can read.\n`);
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  process.stderr.write(`${file} exists already and is unchanged.\n`);
  process.exitCode = 1;
}
