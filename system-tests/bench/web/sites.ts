import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { logProgress } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { run } from "@messageoh/cli/run";
import { copyCompressed } from "@messageoh/frontend-build/releases/files";
import { findNginx } from "@messageoh/stack/dependencies/nginx";
import { gatewayPart, renderGateway } from "@messageoh/stack/gateway";
import { freePort } from "@messageoh/stack/ports";
import { Supervisor } from "@messageoh/stack/processes/supervisor";
import type { Stack } from "@messageoh/stack/stack";

/** Builds the front ends as one bundle and serves it with an equal gateway in front of the same services. */
export async function startOneBundle(stack: Stack): Promise<{ url: string; stop: () => Promise<void> }> {
  const root = repoRoot();
  const dir = join(stack.dataDir, "one-bundle");
  const www = join(dir, "www");
  const dist = join(root, "node_modules/.cache/one-bundle");
  logProgress("building the front ends as one bundle ...");
  const webpack = [join(root, "packages/frontend-build/src/cli.ts"), "build", "--config"];
  await run(process.execPath, [...webpack, join(import.meta.dirname, "oneBundle/webpack.config.ts")], {
    cwd: join(root, "shell"),
    env: { ...process.env, NODE_ENV: "production" },
  });
  await copyCompressed(dist, join(www, "shell"));
  const page = join(www, "shell/index.html");
  await writeFile(page, withoutRemotes(await readFile(page, "utf8")));

  const port = await freePort();
  const parts = (name: string) => stack.processes().filter((part) => part.name.startsWith(name));
  await renderGateway(root, dir, {
    port,
    www,
    users: parts("svc-users"),
    messages: parts("svc-messages"),
    realtime: parts("svc-realtime"),
  });
  const supervisor = new Supervisor(dir);
  await supervisor.start(gatewayPart(await findNginx(), dir, port));
  return { url: `http://localhost:${port}`, stop: () => supervisor.stop() };
}

/** Removes the pointers to remotes and the script that reads them. */
function withoutRemotes(html: string): string {
  return html.replace(/<script [^>]*(?:application\/json|module).*?<\/script>/gs, "");
}
