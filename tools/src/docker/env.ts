import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";
import { newSecrets } from "./secrets.ts";

// npm run docker:env creates the .env that docker compose reads. It never replaces one: MongoDB's volume contains users
// with these passwords.
const file = join(repoRoot(), ".env");
try {
  writeFileSync(file, `# Read by docker compose; keep it secret and keep a copy.\n${newSecrets()}`, {
    flag: "wx",
    mode: 0o600,
  });
  process.stdout.write(`${file} now holds new secrets; nobody but you can read it.\n`);
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  process.stderr.write(`${file} is there already and stays as it is.\n`);
  process.exitCode = 1;
}
