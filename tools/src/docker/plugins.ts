import { join } from "node:path";
import { PlainError } from "@messageoh/stack/command/progress";
import { run } from "@messageoh/stack/command/run";
import { downloadPrograms } from "@messageoh/stack/dependencies/apt";

const PLUGINS = ["compose", "buildx"];

/**
 * Returns the environment in which `docker compose` and `docker buildx` work; fetches them if the machine lacks them.
 */
export async function findPlugins(env: NodeJS.ProcessEnv): Promise<{ DOCKER_CONFIG?: string }> {
  if (await haveAll(env)) return {};
  const packages = PLUGINS.map((name) => `docker-${name}`);
  const dir = await downloadPrograms("docker-plugins-1", "docker compose 2 or buildx", packages);
  const found = { DOCKER_CONFIG: join(dir, "usr/libexec/docker") };
  if (!(await haveAll({ ...env, ...found }))) throw new PlainError(`The docker plugins in ${dir} do not run here.`);
  return found;
}

async function haveAll(env: NodeJS.ProcessEnv): Promise<boolean> {
  const versions = PLUGINS.map((name) => run("docker", [name, "version"], { env }));
  return (await Promise.allSettled(versions)).every(({ status }) => status === "fulfilled");
}
