import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@messageoh/service-kit/testing/until";
import { findProgram } from "@messageoh/stack/command/run";
import { findVersitygw, versitygwProcess } from "@messageoh/stack/dependencies/versitygw";
import { freePort } from "@messageoh/stack/ports";
import { createS3Storage } from "../src/storage/s3.ts";

/** Time to build the server once, in milliseconds. */
export const BUILD_MAX_MS = 600_000;
const KEYS = { accessKey: "test", secretKey: "a secret of the tests" };

/** Returns whether this machine can run an S3 server. */
export const hasS3Server = (): boolean => findProgram("versitygw", "go") !== undefined;

/** Starts an S3 server with an empty folder, and returns storages of it. */
export async function startS3Server() {
  const program = await findVersitygw();
  if (!program) throw new Error("versitygw is missing");
  const dir = await mkdtemp(join(tmpdir(), "messageoh-s3-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const { args, env } = versitygwProcess(dir, port, KEYS);
    child = spawn(program as string, args, { env, stdio: "ignore" });
    await until(() =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );
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
    url,
    dir,
    start,
    /** Kills the server, as a crash does. */
    stop,
    freeze: () => child?.kill("SIGSTOP"),
    resume: () => child?.kill("SIGCONT"),
    /** Returns a storage in a bucket. The time limit is that of each wait, in milliseconds. */
    storage: (bucket: string, timeLimitMs?: number, address = url) =>
      createS3Storage({ url: address, bucket, region: "us-east-1", ...KEYS, timeLimitMs }),
    async close() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
export type S3Server = Awaited<ReturnType<typeof startS3Server>>;
