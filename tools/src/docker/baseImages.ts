import { say } from "../say.ts";
import type { DockerEngine } from "./engine.ts";
import { BASE_IMAGES, makeStandIn, STAND_IN_LABEL } from "./standIns.ts";

/**
 * Sees to it that the images that everything is built on are there: pulled, or else stand-ins under the same names.
 * Answers the stand-ins.
 */
export async function ensureBaseImages(engine: DockerEngine): Promise<string[]> {
  const standIns: string[] = [];
  for (const image of BASE_IMAGES) {
    const isThere = (await engine.hasImage(image)) || (await pull(engine, image));
    if (!isThere) await makeStandIn(engine, image);
    const label = `{{ index .Config.Labels "${STAND_IN_LABEL}" }}`;
    if (await engine.docker(["image", "inspect", "--format", label, image])) standIns.push(image);
  }
  if (standIns.length > 0) say(`STAND-INS, not the originals: ${standIns.join(", ")}`);
  return standIns;
}

/** Takes the originals' names from stand-ins, so that nobody meets them under these later. */
export async function forgetStandIns(engine: DockerEngine, standIns: string[]): Promise<void> {
  for (const image of standIns) await engine.docker(["image", "rm", image]).catch(() => {});
}

async function pull(engine: DockerEngine, image: string): Promise<boolean> {
  return engine.docker(["pull", "--quiet", image]).then(
    () => true,
    () => false,
  );
}
