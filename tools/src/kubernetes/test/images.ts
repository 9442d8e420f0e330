import { logProgress, PlainError } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { run, runShown } from "@messageoh/stack/command/run";
import { ensureBaseImages, forgetLocalImages } from "../../docker/baseImages.ts";
import { ComposeStack } from "../../docker/compose.ts";
import { findEngine } from "../../docker/engine.ts";

/** Tag of the images under test. `NEXT_TAG` is that of the second release of mfe-chat. */
export const TAG = "test";
export const NEXT_TAG = "test-next";
export const PARTS = "gateway svc-users svc-messages svc-realtime svc-media shell mfe-auth mfe-chat".split(" ");
const DATASTORES = ["mongo:8", "redis:8"];

const NEXT_RELEASE = `FROM messageoh/mfe-chat:${TAG}
USER root
RUN echo next > mfe-chat/dist/next.txt
USER node
`;

/**
 * Builds all images and pipes them to a shell command that loads them into the nodes.
 * @param command reads the archive that `docker save` writes
 */
export async function loadImages(command: string): Promise<void> {
  const engine = await findEngine();
  if (typeof engine === "string") throw new PlainError(`The images cannot be built: ${engine}.`);
  const localImages = await ensureBaseImages(engine);
  const stack = await ComposeStack.create(engine, repoRoot(), 0);
  try {
    logProgress("docker compose build");
    await stack.compose(["build"]);
    const next = ["build", "--quiet", "--tag", `messageoh/mfe-chat:${NEXT_TAG}`, "-"];
    await run("docker", next, { env: engine.env, input: NEXT_RELEASE });
    const images = [
      ...PARTS.map((part) => `messageoh/${part}:${TAG}`),
      `messageoh/mfe-chat:${NEXT_TAG}`,
      ...DATASTORES,
    ];
    logProgress(`docker save | ${command}`);
    const code = await runShown("sh", ["-c", `docker save ${images.join(" ")} | { ${command}; }`], { env: engine.env });
    if (code !== 0) throw new PlainError(`The images cannot be loaded: "${command}" ended with exit code ${code}.`);
  } finally {
    await stack.remove();
    if (!engine.isOwn) await forgetLocalImages(engine, localImages);
    await engine.stop();
  }
}
