import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { makeCertificate } from "../../../../gateway/testing/certificate.ts";
import type { Check } from "../../testing/checks.ts";
import type { ComposeStack } from "../compose.ts";

/** Checks that the gateway's image reads the configuration that Kubernetes mounts into it. */
export async function checkKubernetesGateway(stack: ComposeStack, check: Check): Promise<void> {
  await check("nginx accepts the configuration that Kubernetes mounts", async () => {
    const dir = await mkdtemp(join(tmpdir(), "messageoh-tls-"));
    try {
      const { certificate, key } = await makeCertificate(dir);
      await chmod(dir, 0o755);
      await chmod(key, 0o644);
      await rename(certificate, join(dir, "tls.crt"));
      await rename(key, join(dir, "tls.key"));
      const upstreams = join(repoRoot(), "gateway/kubernetes/upstreams.conf");
      const listen = join(repoRoot(), "gateway/kubernetes/listen.conf");
      const mounts = [
        `${upstreams}:/etc/gateway/upstreams.conf:ro`,
        `${listen}:/etc/gateway/listen.conf:ro`,
        `${dir}:/etc/gateway-tls:ro`,
      ];
      await stack.engine.docker([
        ...["run", "--rm", "--read-only", "--tmpfs", "/tmp", "--network", "none"],
        // nginx looks up its resolver when it reads the configuration.
        ...["--add-host", "kube-dns.kube-system.svc.cluster.local:127.0.0.1"],
        ...mounts.flatMap((mount) => ["--volume", mount]),
        ...["messageoh/gateway:test", "-t"],
      ]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
}
