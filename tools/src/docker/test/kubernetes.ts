import { chmod, rename } from "node:fs/promises";
import { join } from "node:path";
import { makeCertificate } from "@messageoh/stack/certificate";
import { repoRoot } from "@messageoh/stack/command/root";
import { withTempDir } from "../../testing/bin.ts";
import type { Check } from "../../testing/checks.ts";
import type { ComposeStack } from "../compose.ts";

/** Checks that the gateway's image reads the configuration that Kubernetes mounts into it. */
export async function checkKubernetesGateway(stack: ComposeStack, check: Check): Promise<void> {
  await check("nginx accepts the configuration that Kubernetes mounts", () =>
    withTempDir(async (dir) => {
      const { certificate, key } = await makeCertificate(dir);
      await chmod(dir, 0o755);
      await chmod(key, 0o644);
      await rename(certificate, join(dir, "tls.crt"));
      await rename(key, join(dir, "tls.key"));
      const mounts = [
        ...["upstreams", "listen"].map((name) => [
          join(repoRoot(), `gateway/kubernetes/${name}.conf`),
          `/etc/gateway/${name}.conf`,
        ]),
        [dir, "/etc/gateway-tls"],
      ];
      await stack.engine.docker([
        ...["run", "--rm", "--read-only", "--tmpfs", "/tmp", "--network", "none"],
        // nginx looks up its resolver when it reads the configuration.
        ...["--add-host", "kube-dns.kube-system.svc.cluster.local:127.0.0.1"],
        ...mounts.flatMap(([from, to]) => ["--volume", `${from}:${to}:ro`]),
        ...["messageoh/gateway:test", "-t"],
      ]);
    }),
  );
}
