import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { until } from "@messageoh/service-kit/testing/until";

export interface ChildServerOptions {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Folder of the server, which `close` removes. */
  dir: string;
  isReady: () => Promise<boolean>;
}

/** Starts a server that a test can kill, freeze and start again. */
export async function startChildServer({ command, args, env, dir, isReady }: ChildServerOptions) {
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(command, args, { env, stdio: "ignore" });
    await until(isReady);
  }
  async function stop(): Promise<void> {
    if (!child) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    child = undefined;
    await exited;
  }
  await start();

  return {
    start,
    /** Kills the server, as a crash does. */
    stop,
    freeze: () => child?.kill("SIGSTOP"),
    resume: () => child?.kill("SIGCONT"),
    async close() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
