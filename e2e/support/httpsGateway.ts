import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";
import { findNginx } from "@messageoh/stack/dependencies/nginx";
import { gatewayPart, renderGateway, type Upstream } from "@messageoh/stack/gateway";
import { freePort } from "@messageoh/stack/ports";
import { Supervisor } from "@messageoh/stack/processes/supervisor";
import { makeCertificate } from "../../gateway/testing/certificate.ts";

/** Starts a second gateway for the stack under test with a self-signed certificate. */
export async function startHttpsGateway(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = process.env.DATA_DIR;
  if (!dataDir) throw new Error("DATA_DIR must name the data folder of the stack under test");
  const parts = JSON.parse(readFileSync(join(dataDir, "processes.json"), "utf8")) as Upstream[];
  const named = (name: string) => parts.filter((part) => part.name.startsWith(name));
  const upstreams = {
    users: named("svc-users"),
    messages: named("svc-messages"),
    realtime: named("svc-realtime"),
  };
  const dir = await mkdtemp(join(tmpdir(), "messageoh-https-"));
  const supervisor = new Supervisor(dir);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    const port = await freePort();
    const tls = await makeCertificate(dir);
    await renderGateway(repoRoot(), join(dir, "gateway"), { port, tls, www: join(dataDir, "www"), ...upstreams });
    await supervisor.start(gatewayPart(await findNginx(), join(dir, "gateway"), port));
    return { url: `https://localhost:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
