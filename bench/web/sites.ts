import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findNginx } from "../../tools/src/dependencies/nginx.ts";
import { layOut } from "../../tools/src/frontends/files.ts";
import { freePort } from "../../tools/src/ports.ts";
import { Supervisor } from "../../tools/src/processes/supervisor.ts";
import { repoRoot } from "../../tools/src/root.ts";
import { run } from "../../tools/src/run.ts";
import { say } from "../../tools/src/say.ts";
import { gatewayPart, renderGateway } from "../../tools/src/stack/gateway.ts";
import type { Stack } from "../../tools/src/stack/stack.ts";

/** Builds the front ends as one bundle and serves it by a gateway of the same configuration, before the same services. */
export async function startOneBundle(stack: Stack): Promise<{ url: string; stop: () => Promise<void> }> {
  const root = repoRoot();
  const dir = join(stack.dataDir, "one-bundle");
  const www = join(dir, "www");
  const dist = join(root, "node_modules/.cache/one-bundle");
  say("building the same front ends as one bundle ...");
  const webpack = [join(root, "tools/src/webpack/cli.ts"), "build", "--config"];
  await run(process.execPath, [...webpack, join(import.meta.dirname, "oneBundle/webpack.config.ts")], {
    cwd: join(root, "shell"),
    env: { ...process.env, NODE_ENV: "production" },
  });
  await layOut(dist, join(www, "shell"));
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

/** Pointers to remotes and the script that reads them. */
function withoutRemotes(html: string): string {
  return html.replace(/<script [^>]*(?:application\/json|module).*?<\/script>/gs, "");
}
