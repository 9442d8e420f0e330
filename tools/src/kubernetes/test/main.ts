import { readOptions } from "@messageoh/stack/command/arguments";
import { type Command, runCommand } from "@messageoh/stack/command/command";
import { formatError, logProgress } from "@messageoh/stack/command/progress";
import { Supervisor } from "@messageoh/stack/processes/supervisor";
import { whileChatting } from "../../docker/test/chatting.ts";
import { createChecks } from "../../testing/checks.ts";
import { Cluster } from "./cluster.ts";
import { disrupt } from "./disruptions.ts";
import { loadImages, PARTS, TAG } from "./images.ts";
import { createSecrets, Overlay, openEntrance, waitForInstallation } from "./install.ts";

// npm run test:kubernetes applies deploy/kubernetes to a cluster and changes the installation while users chat.
const NOT_RUN = 3;
/** Few, because a port-forward is slow on a busy machine, and clients send one message at a time. */
const MESSAGES_PER_SECOND = 10;
const NEEDED = `mongo:8, redis:8, messageoh/mfe-chat:${TAG}-next and messageoh/PART:${TAG} of ${PARTS.join(", ")}`;
const { values } = readOptions("npm run test:kubernetes", {
  context: [undefined, "NAME", "context of kubectl, whose cluster gets a namespace until the end of the test"],
  load: [undefined, "COMMAND", `reads the archive of docker save; without it, the nodes must have ${NEEDED}`],
  only: ["", "TEXT", "makes only the changes whose names contain this text"],
});

// The product warns about each failed call, which the checker expects.
console.warn = () => undefined;
const { check, count } = createChecks();

const cluster = values.context === undefined ? "name a cluster with --context" : await Cluster.find(values.context);
if (typeof cluster === "string") {
  process.stdout.write(`The Kubernetes test is NOT RUN: ${cluster}.\n`);
  process.exit(NOT_RUN);
}
await runCommand("test-kubernetes", async ({ atEnd }) => {
  try {
    if (values.load !== undefined) await loadImages(values.load);
    await testOn(cluster, atEnd);
  } catch (error) {
    count.failed += 1;
    process.stderr.write(`${formatError(error)}\n`);
  }
  process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`);
  return count.failed === 0 ? 0 : 1;
});

async function testOn(cluster: Cluster, atEnd: Command["atEnd"]): Promise<void> {
  logProgress(`namespace ${cluster.namespace} of the context ${cluster.context}`);
  const overlay = await Overlay.create(cluster);
  atEnd(() => overlay.remove());
  atEnd(() => cluster.remove());
  await createSecrets(cluster, overlay.dir);
  const isUp = await check("the manifests are applied and every pod becomes ready", async () => {
    await overlay.apply();
    await waitForInstallation(cluster);
  });
  if (!isUp) throw new Error(await cluster.kubectl(["get", "pods", "--output=wide"]));
  const supervisor = new Supervisor(overlay.dir);
  atEnd(() => supervisor.stop());
  const url = await openEntrance(cluster, supervisor);
  await whileChatting(
    url,
    check,
    (world) => disrupt({ cluster, overlay, url, world, check }, values.only),
    MESSAGES_PER_SECOND,
  );
}
