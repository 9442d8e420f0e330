import { buildFrontends } from "./frontends/build.ts";
import { repoRoot } from "./root.ts";
import { explain } from "./say.ts";

// npm run build: the three front ends, each only when its inputs changed.
try {
  await buildFrontends(repoRoot(), async () => {});
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
