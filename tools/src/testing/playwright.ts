import { join } from "node:path";
import { bin, readJson, remarksOn, withTempDir, withToolFailure } from "./bin.ts";
import type { Count } from "./checks.ts";

/** Runs browser tests against the stack of BASE_URL and DATA_DIR in `env`. `label` stands before each line. */
export const runPlaywright = (root: string, env: NodeJS.ProcessEnv, args: string[], label?: string): Promise<Count> =>
  withTempDir(async (dir) => {
    const report = join(dir, "playwright.json");
    const code = await bin(root, "playwright", ["test", "--reporter=list,json", ...args], {
      cwd: join(root, "system-tests/browser"),
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      label,
    });
    const results = await readJson(report);
    const { expected = 0, flaky = 0, unexpected = 0 } = results.stats ?? {};
    return withToolFailure(code, { passed: expected + flaky, failed: unexpected, remarks: remarksOn(results) });
  });
