import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import { findProgram } from "@messageoh/stack/command/run";
import { findVersitygw, versitygwProcess } from "@messageoh/stack/dependencies/versitygw";
import { exchange, freePort } from "@messageoh/stack/ports";
import { createS3Storage } from "../src/storage/s3.ts";
import { startChildServer } from "./childServer.ts";

/** Time to build the server once, in milliseconds. */
export const BUILD_MAX_MS = 600_000;
const REGION = "us-east-1";
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
  const isReady = async () => (await exchange(port, "GET / HTTP/1.0\r\n\r\n")) !== undefined;
  const { args, env } = versitygwProcess(dir, port, KEYS);

  return {
    url,
    dir,
    ...(await startChildServer({ command: program, args, env, dir, isReady })),
    /** Returns the keys of the unfinished uploads in a bucket that begin with a text. */
    async listUploads(bucket: string, prefix: string): Promise<string[]> {
      const credentials = { accessKeyId: KEYS.accessKey, secretAccessKey: KEYS.secretKey };
      const client = new S3Client({ endpoint: url, region: REGION, credentials, forcePathStyle: true });
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }));
      client.destroy();
      return Uploads.map(({ Key = "" }) => Key);
    },
    /** Returns a storage in a bucket. The time limit is that of each wait, in milliseconds. */
    storage: (bucket: string, timeLimitMs?: number, address = url) =>
      createS3Storage({ url: address, bucket, region: REGION, ...KEYS, timeLimitMs }),
  };
}
export type S3Server = Awaited<ReturnType<typeof startS3Server>>;
