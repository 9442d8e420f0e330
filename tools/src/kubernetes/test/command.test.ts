import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";

it("is not run and does not call kubectl if no context is named", async () => {
  const dir = await mkdtemp(join(tmpdir(), "messageoh-kubectl-"));
  try {
    const called = join(dir, "called");
    await writeFile(join(dir, "kubectl"), `#!/bin/sh\ntouch ${called}\nexit 1\n`, { mode: 0o755 });
    const main = join(repoRoot(), "tools/src/kubernetes/test/main.ts");
    const env = { ...process.env, PATH: `${dir}${delimiter}${process.env.PATH}` };
    const test = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { env, encoding: "utf8" });
    const unnamed = test();
    expect(unnamed.stdout).toContain("NOT RUN: name a cluster with --context");
    expect(unnamed.status).toBe(3);
    expect(existsSync(called)).toBe(false);
    const unknown = test("--context", "nowhere");
    expect(unknown.stdout).toContain("NOT RUN: kubectl has no context nowhere");
    expect(unknown.status).toBe(3);
    expect(existsSync(called)).toBe(true);
  } finally {
    await rm(dir, { recursive: true });
  }
}, 60_000);
