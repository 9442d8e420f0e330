import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PlainError } from "../command/progress.ts";
import { exchange } from "../ports.ts";
import { STAGE } from "../processes/part.ts";
import type { DatastoreContext } from "./datastore.ts";
import { keepKey } from "./secrets.ts";
import { findVersitygw, type S3Keys, versitygwProcess } from "./versitygw.ts";

/** An S3 server and the access to it. */
export type S3Settings = S3Keys & { url: string };

/** Starts an S3 server whose objects are files in `DATA_DIR/s3`. Its secret key is in `DATA_DIR/secrets/s3.key`. */
export async function startS3({ supervisor, dataDir, portFor }: DatastoreContext): Promise<S3Settings> {
  const command = await findVersitygw();
  if (command === undefined) {
    throw new PlainError("S3=1 needs versitygw, or Go to build it: install one of them, or set S3_URL to a server.");
  }
  const port = await portFor("s3");
  const dir = join(dataDir, "s3");
  await mkdir(dir, { recursive: true });
  const keys = { accessKey: "messageoh", secretKey: keepKey(dataDir, "s3.key").key };
  await supervisor.start({
    name: "s3",
    command,
    ...versitygwProcess(dir, port, keys),
    port,
    stage: STAGE.dependency,
    ready: async () => (await exchange(port, "GET / HTTP/1.0\r\n\r\n")) !== undefined,
  });
  return { url: `http://127.0.0.1:${port}`, ...keys };
}
