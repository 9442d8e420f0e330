import { formatError } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { buildFrontends } from "@messageoh/stack/releases/build";

// npm run build builds the front ends whose inputs changed.
try {
  await buildFrontends(repoRoot(), async () => {});
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
  process.exitCode = 1;
}
