import { logProgress } from "@messageoh/stack/command/progress";
import type { DockerEngine } from "./engine.ts";
import { BASE_IMAGES, LOCAL_IMAGE_LABEL, makeLocalImage } from "./localImages.ts";

/**
 * Pulls the base images, makes local images of those that cannot be pulled, and returns the names of the local ones.
 */
export async function ensureBaseImages(engine: DockerEngine): Promise<string[]> {
  const localImages: string[] = [];
  for (const image of BASE_IMAGES) {
    const isThere = (await engine.hasImage(image)) || (await pull(engine, image));
    if (!isThere) await makeLocalImage(engine, image);
    const label = `{{ index .Config.Labels "${LOCAL_IMAGE_LABEL}" }}`;
    if (await engine.docker(["image", "inspect", "--format", label, image])) localImages.push(image);
  }
  if (localImages.length > 0) logProgress(`LOCAL IMAGES, not the originals: ${localImages.join(", ")}`);
  return localImages;
}

/** Removes the originals' names from local images, so that later commands do not mistake them for the originals. */
export async function forgetLocalImages(engine: DockerEngine, localImages: string[]): Promise<void> {
  for (const image of localImages) await engine.docker(["image", "rm", image]).catch(() => {});
}

async function pull(engine: DockerEngine, image: string): Promise<boolean> {
  return engine.docker(["pull", "--quiet", image]).then(
    () => true,
    () => false,
  );
}
