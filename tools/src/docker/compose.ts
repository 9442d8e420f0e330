import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, runShown } from "@messageoh/stack/command/run";
import type { DockerEngine } from "./engine.ts";
import { newSecrets, SECRETS } from "./secrets.ts";

/** A running container of a stack. */
export type Container = { id: string; service: string; published: number[] };

type Row = { ID: string; Service: string; Publishers?: { PublishedPort: number }[] | null };

/** A stack from docker-compose.yml with its own project name, secrets, port, networks and volumes. */
export class ComposeStack {
  readonly engine: DockerEngine;
  readonly url: string;
  /** The values of all secrets. */
  readonly secrets: string[];
  readonly #root: string;
  readonly #dir: string;
  readonly #name: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(engine: DockerEngine, root: string, dir: string, port: number, secrets: string) {
    this.engine = engine;
    this.secrets = secrets
      .trim()
      .split("\n")
      .map((line) => line.slice(line.indexOf("=") + 1));
    this.url = `http://localhost:${port}`;
    this.#root = root;
    this.#dir = dir;
    this.#name = `messageoh-test-${process.pid}`;
    this.#env = { ...engine.env, TAG: "test", PORT: String(port), GATEWAY_HOST: "127.0.0.1" };
    // Variables of the environment take precedence over the file.
    for (const name of [...SECRETS, "REALTIME_INSTANCES"]) delete this.#env[name];
  }

  static async create(engine: DockerEngine, root: string, port: number): Promise<ComposeStack> {
    const dir = await mkdtemp(join(tmpdir(), "messageoh-compose-"));
    const secrets = newSecrets();
    await writeFile(join(dir, "secrets.env"), secrets, { mode: 0o600 });
    return new ComposeStack(engine, root, dir, port, secrets);
  }

  /** Runs `docker compose` on this stack with its output shown; throws if it fails. */
  async compose(args: string[]): Promise<void> {
    const code = await runShown("docker", this.#args("secrets.env", args), { env: this.#env, cwd: this.#root });
    if (code !== 0) throw new Error(`docker compose ${args.join(" ")} ended with exit code ${code}`);
  }

  /** Runs `docker compose` on this stack and returns its output. */
  read(args: string[]): Promise<string> {
    return run("docker", this.#args("secrets.env", args), { env: this.#env, cwd: this.#root });
  }

  /** Runs `docker compose` without an .env file and returns its output. */
  readWithoutSecrets(args: string[]): Promise<string> {
    return run("docker", this.#args("none.env", args), { env: this.#env, cwd: this.#root });
  }

  /** Returns all running containers, or those of one service. */
  async containers(service?: string): Promise<Container[]> {
    const rows = await this.read(["ps", "--format", "json", ...(service ? [service] : [])]);
    return rows
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row)
      .map(({ ID, Service, Publishers }) => ({
        id: ID,
        service: Service,
        published: (Publishers ?? []).map(({ PublishedPort }) => PublishedPort).filter((port) => port > 0),
      }));
  }

  /** Runs a shell command in a container and returns its output, or the message of its error. */
  exec({ id }: Container, command: string): Promise<string> {
    return this.engine.docker(["exec", id, "sh", "-c", command]).catch((error: Error) => error.message);
  }

  /** Stops the stack and removes its volumes, but not its images. */
  async remove(): Promise<void> {
    await this.read(["down", "--volumes", "--remove-orphans", "--timeout", "5"]).catch(() => {});
    await rm(this.#dir, { recursive: true, force: true });
  }

  #args(envFile: string, args: string[]): string[] {
    const project = ["--project-directory", this.#root, "--file", join(this.#root, "docker-compose.yml")];
    const env = envFile === "none.env" ? "/dev/null" : join(this.#dir, envFile);
    return ["compose", "--progress", "quiet", ...project, "--env-file", env, "--project-name", this.#name, ...args];
  }
}
