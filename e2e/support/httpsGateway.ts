import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { findNginx } from "@messageoh/stack/dependencies/nginx";
import { gatewayPart, renderGateway } from "@messageoh/stack/gateway";
import { freePort } from "@messageoh/stack/ports";
import { Supervisor } from "@messageoh/stack/processes/supervisor";
import { makeCertificate } from "../../gateway/testing/certificate.ts";
import { inDataDir, partsOf } from "./parts.ts";

/** Starts a second gateway for the stack under test with a self-signed certificate. */
export async function startHttpsGateway(): Promise<{ url: string; stop: () => Promise<void> }> {
  const upstreams = {
    users: partsOf("svc-users"),
    messages: partsOf("svc-messages"),
    realtime: partsOf("svc-realtime"),
    media: partsOf("svc-media"),
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
    await renderGateway(repoRoot(), join(dir, "gateway"), {
      ...{ port, tls, www: inDataDir("www"), mediaDir: inDataDir("media") },
      ...upstreams,
    });
    await supervisor.start(gatewayPart(await findNginx(), join(dir, "gateway"), port));
    return { url: `https://localhost:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
