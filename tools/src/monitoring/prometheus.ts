import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silenceProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { findPrometheus } from "@messageoh/stack/dependencies/programs";
import { freePort } from "@messageoh/stack/ports";
import { STAGE } from "@messageoh/stack/processes/part";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";
import { respondsOk } from "@messageoh/stack/services";
import { parse, stringify } from "yaml";
import { readMonitoring } from "./expressions.ts";

type Config = { global: object; rule_files: string[]; scrape_configs: { job_name: string }[] };

/** A running Prometheus. */
export type Prometheus = {
  /** Returns the data of a call of its HTTP API, such as `targets`. */
  get: <T>(path: string) => Promise<T>;
  stop: () => Promise<void>;
};

/**
 * Starts Prometheus with the configuration of `deploy/monitoring`, except for the addresses of the jobs and the
 * intervals.
 * @param addresses URLs of the instances by job
 */
export async function startPrometheus(addresses: Record<string, string[]>): Promise<Prometheus> {
  silenceProgress();
  const { command, env } = await findPrometheus("prometheus");
  const { dir, supervisor, stop } = await temporarySupervisor("prometheus");
  const monitoring = join(repoRoot(), "deploy/monitoring");
  const config = parse(await readMonitoring("prometheus.yml")) as Config;
  const file = join(dir, "prometheus.yml");
  await writeFile(
    file,
    stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: config.rule_files.map((name) => join(monitoring, name)),
      scrape_configs: config.scrape_configs.map(({ job_name }) => ({
        job_name,
        static_configs: [{ targets: addresses[job_name]?.map((url) => new URL(url).host) }],
      })),
    }),
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const storage = ["--storage.tsdb.path", join(dir, "data")];
  await supervisor
    .start({
      name: "prometheus",
      command,
      args: ["--config.file", file, "--web.listen-address", `127.0.0.1:${port}`, ...storage],
      env,
      port,
      stage: STAGE.gateway,
      ready: () => respondsOk(`${url}/-/ready`),
    })
    .catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  return {
    get: async <T>(path: string) => ((await (await fetch(`${url}/api/v1/${path}`)).json()) as { data: T }).data,
    stop,
  };
}
