import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cacheDir } from "@messageoh/stack/command/cache";
import { logProgress } from "@messageoh/stack/command/progress";
import { findProgram, isRoot, run } from "@messageoh/stack/command/run";
import { until } from "@messageoh/stack/ports";
import { STAGE } from "@messageoh/stack/processes/part";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";
import { findPlugins } from "./plugins.ts";

/** A Docker engine with compose and buildx. */
export class DockerEngine {
  readonly env: NodeJS.ProcessEnv;
  /** Whether this command started the engine, so that it owns all images and containers. */
  readonly isOwn: boolean;
  readonly #stop: () => Promise<void>;

  constructor(env: NodeJS.ProcessEnv, isOwn = false, stop: () => Promise<void> = async () => {}) {
    this.env = env;
    this.isOwn = isOwn;
    this.#stop = stop;
  }

  /** Runs a docker command and returns its output. */
  async docker(args: string[]): Promise<string> {
    return (await run("docker", args, { env: this.env })).trim();
  }

  hasImage(image: string): Promise<boolean> {
    return this.docker(["image", "inspect", image]).then(
      () => true,
      () => false,
    );
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

/**
 * Finds a running engine, or starts one if dockerd is installed and this is root. Returns the reason if neither works.
 */
export async function findEngine(): Promise<DockerEngine | string> {
  if (!findProgram("docker")) return "the docker command is not installed";
  if (await responds(process.env)) return new DockerEngine({ ...process.env, ...(await findPlugins(process.env)) });
  const dockerd = findProgram("dockerd");
  if (!dockerd) return "no Docker engine responds and dockerd is not installed";
  if (!isRoot()) return "no Docker engine responds and only root can start one";
  return startOwn(dockerd);
}

async function responds(env: NodeJS.ProcessEnv): Promise<boolean> {
  const version = run("docker", ["info", "--format", "{{.ServerVersion}}"], { env });
  return version.then(
    (text) => text.trim() !== "",
    () => false,
  );
}

/** Starts an engine with its own socket and data, which ends with this process. */
async function startOwn(dockerd: string): Promise<DockerEngine | string> {
  const { dir, supervisor, stop } = await temporarySupervisor("docker");
  // Keep images and build cache, so that the next run takes seconds.
  const dataRoot = join(cacheDir(), "docker");
  await mkdir(dataRoot, { recursive: true });
  const socket = join(dir, "docker.sock");
  const env = { ...process.env, DOCKER_HOST: `unix://${socket}` };
  logProgress(`Docker: starting ${dockerd} on ${dataRoot}`);
  try {
    await supervisor.start({
      name: "dockerd",
      command: dockerd,
      args: [
        ...["--data-root", dataRoot, "--exec-root", join(dir, "exec"), "--pidfile", join(dir, "docker.pid")],
        ...["-H", `unix://${socket}`],
      ],
      port: 0,
      stage: STAGE.dependency,
      graceMs: 30_000,
      ready: async () => existsSync(socket) && (await until(() => responds(env), 2_000, 200)),
    });
  } catch (error) {
    await stop();
    return `dockerd does not start here (${(error as Error).message.split("\n").at(-1)})`;
  }
  return new DockerEngine({ ...env, ...(await findPlugins(env)) }, true, stop);
}
