import { join } from "node:path";
import { buildOnce, cacheDir } from "@messageoh/cli/cache";
import { PlainError, withProgress } from "@messageoh/cli/progress";
import { run } from "@messageoh/cli/run";
import { hasDebian, unpackRelease } from "@messageoh/stack/dependencies/apt";

const PLUGINS = ["compose", "buildx"];

/** Returns the environment in which `docker compose` and `docker buildx` work; fetches them if the machine lacks them. */
export async function findPlugins(env: NodeJS.ProcessEnv): Promise<{ DOCKER_CONFIG?: string }> {
  if (await haveAll(env)) return {};
  if (!hasDebian()) throw new PlainError("docker compose 2 and docker buildx are missing: install them.");
  const dir = join(cacheDir(), "docker-plugins-1");
  await buildOnce(dir, (aside) =>
    withProgress("Docker: fetching the Debian packages of compose and buildx", () =>
      unpackRelease(
        aside,
        "forky",
        PLUGINS.map((name) => `docker-${name}`),
        "download",
      ),
    ),
  );
  const found = { DOCKER_CONFIG: join(dir, "usr/libexec/docker") };
  if (!(await haveAll({ ...env, ...found }))) throw new PlainError(`The docker plugins in ${dir} do not run here.`);
  return found;
}

async function haveAll(env: NodeJS.ProcessEnv): Promise<boolean> {
  const versions = PLUGINS.map((name) => run("docker", [name, "version"], { env }));
  return (await Promise.allSettled(versions)).every(({ status }) => status === "fulfilled");
}
