import { formatError } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { buildFrontends } from "@messageoh/frontend-build/releases/build";

// npm run build builds the front ends whose inputs changed.
try {
  await buildFrontends(repoRoot(), async () => {});
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
  process.exitCode = 1;
}
