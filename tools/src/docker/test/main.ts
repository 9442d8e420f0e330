import { writeFileSync } from "node:fs";
import { readOptions } from "@messageoh/stack/command/arguments";
import { type Command, runCommand } from "@messageoh/stack/command/command";
import { formatError, logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { findBrowser } from "@messageoh/stack/dependencies/browser";
import { freePort } from "@messageoh/stack/ports";
import { type Check, type Count, createChecks } from "../../testing/checks.ts";
import { runPlaywright } from "../../testing/playwright.ts";
import { ensureBaseImages, forgetLocalImages } from "../baseImages.ts";
import { ComposeStack } from "../compose.ts";
import { type DockerEngine, findEngine } from "../engine.ts";
import { checkHardening } from "./hardening.ts";
import { checkKubernetesGateway } from "./kubernetes.ts";
import { checkScaling } from "./scaling.ts";

// npm run test:docker builds the Dockerfiles and starts docker-compose.yml on a Docker engine.
const SMOKE_TEST = "specs/journeys/by-the-specification.spec.ts";
const { values } = readOptions("npm run test:docker", {
  report: [undefined, "FILE", "also writes the counts as JSON"],
});
const { check, count } = createChecks();

await runCommand("test-docker", async ({ atEnd }) => {
  let result: Count = count;
  try {
    const engine = await findEngine();
    if (typeof engine === "string") {
      result = { ...count, notRun: engine };
      process.stdout.write(`The container tests are NOT RUN: ${engine}.\n`);
    } else {
      atEnd(() => engine.stop());
      const localImages = await testOn(engine, atEnd);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed${localImagesNote(localImages)}\n`);
    }
  } catch (error) {
    count.failed += 1;
    process.stderr.write(`${formatError(error)}\n`);
  }
  if (values.report) writeFileSync(values.report, JSON.stringify(result));
  return result.failed === 0 ? 0 : 1;
});

async function testOn(engine: DockerEngine, atEnd: Command["atEnd"]): Promise<string[]> {
  const root = repoRoot();
  const localImages = await ensureBaseImages(engine);
  if (!engine.isOwn) atEnd(() => forgetLocalImages(engine, localImages));
  const stack = await ComposeStack.create(engine, root, await freePort());
  atEnd(() => stack.remove());
  await checkStart(stack, check);
  await checkHardening(stack, check);
  await checkKubernetesGateway(stack, check);
  await checkScaling(stack, check);
  const browser = await findBrowser(root);
  await check(`in the browser: ${SMOKE_TEST}`, async () => {
    const { passed, failed } = await runPlaywright(root, { ...browser, BASE_URL: stack.url }, [SMOKE_TEST]);
    if (failed > 0 || passed === 0) throw new Error(`${failed} failed`);
  });
  if (count.failed > 0) await stack.compose(["logs", "--tail", "40"]);
  return localImages;
}

async function checkStart(stack: ComposeStack, check: Check): Promise<void> {
  await check("compose rejects missing secrets and names the command that creates them", async () => {
    const message = await stack.readWithoutSecrets(["config", "--quiet"]).catch((error: Error) => error.message);
    if (!message.includes("run npm run docker:env")) throw new Error(`the message is: ${message}`);
  });
  const isUp = await check("docker compose builds all images and starts a healthy stack", async () => {
    logProgress("docker compose build");
    await stack.compose(["build"]);
    logProgress("docker compose up -d --wait");
    await stack.compose(["up", "-d", "--no-build", "--wait"]);
  });
  if (isUp) return;
  await stack.compose(["logs", "--tail", "40"]);
  throw new Error("the stack did not start");
}

function localImagesNote(localImages: string[]): string {
  return localImages.length === 0 ? "" : ` (on LOCAL IMAGES of ${localImages.join(", ")}, which cannot be pulled here)`;
}
