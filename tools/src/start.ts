import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { readArguments } from "@messageoh/stack/command/arguments";
import { formatError, PlainError } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import type { S3Settings } from "@messageoh/stack/dependencies/s3";
import type { Tls } from "@messageoh/stack/gateway";
import { type Stack, startStack } from "@messageoh/stack/stack";

// npm start runs the whole product until Ctrl-C or SIGTERM.
readArguments("npm start\n  Settings are environment variables; README.md lists them.", {});
const PARENT_CHECK_MS = 500;
const abort = new AbortController();
let starting: Promise<Stack> | undefined;
let ending = false;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  abort.abort();
  await starting?.then((stack) => stack.stop()).catch(() => {});
  process.exit(code);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
// A closed terminal must not end this process before it has stopped the others.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

if (process.env.npm_lifecycle_event) {
  // npm cannot forward SIGKILL, so detect its end by the change of the parent process.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void end(0);
  }, PARENT_CHECK_MS);
}

function count(name: string, fallback: number, least = 1): number {
  const value = Number(process.env[name] || fallback);
  if (!Number.isInteger(value) || value < least || value > 65_535)
    throw new PlainError(`${name} must be an integer from ${least} to 65535`);
  return value;
}

/** Returns the setting, or the content of the file in `NAME_FILE`. */
function secret(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  if (!file) return process.env[name];
  if (!existsSync(file)) throw new PlainError(`The file ${file} of ${name}_FILE does not exist`);
  return readFileSync(file, "utf8").trim();
}

function certificate(): Tls | undefined {
  const { TLS_CERTIFICATE, TLS_KEY } = process.env;
  if (!TLS_CERTIFICATE && !TLS_KEY) return undefined;
  if (!TLS_CERTIFICATE || !TLS_KEY) throw new PlainError("Set both TLS_CERTIFICATE and TLS_KEY, or neither");
  try {
    // nginx reads the files only when a browser connects.
    createSecureContext({ cert: readFileSync(TLS_CERTIFICATE), key: readFileSync(TLS_KEY) });
  } catch (error) {
    throw new PlainError(`TLS_CERTIFICATE and TLS_KEY must be a certificate and its key: ${(error as Error).message}`);
  }
  return { certificate: resolve(TLS_CERTIFICATE), key: resolve(TLS_KEY) };
}

/** Returns the S3 server of S3_URL, or `own` if S3 is 1. */
function s3(): S3Settings | "own" | undefined {
  const url = process.env.S3_URL;
  if (!url) return process.env.S3 === "1" ? "own" : undefined;
  const [accessKey, secretKey] = [secret("S3_ACCESS_KEY"), secret("S3_SECRET_KEY")];
  if (!accessKey || !secretKey) throw new PlainError("S3_URL needs S3_ACCESS_KEY and S3_SECRET_KEY");
  return { url, accessKey, secretKey };
}

try {
  starting = startStack({
    port: count("PORT", 8080),
    host: process.env.GATEWAY_HOST,
    tls: certificate(),
    publicOrigin: process.env.PUBLIC_ORIGIN,
    trustedProxies: process.env.TRUSTED_PROXIES,
    dataDir: resolve(process.env.DATA_DIR || join(repoRoot(), ".data")),
    usersInstances: count("USERS_INSTANCES", 1),
    realtimeInstances: count("REALTIME_INSTANCES", 2),
    messagesInstances: count("MESSAGES_INSTANCES", 1),
    mediaInstances: count("MEDIA_INSTANCES", 1),
    gatewayInstances: count("GATEWAY_INSTANCES", 1),
    s3: s3(),
    mongoUrl: secret("MONGO_URL"),
    redisUrl: secret("REDIS_URL"),
    redis: { nodes: count("REDIS_NODES", 1), replicas: count("REDIS_REPLICAS", 0, 0) },
    signal: abort.signal,
  });
  const stack = await starting;
  if (!ending) process.stdout.write(`Messageoh is running at ${process.env.PUBLIC_ORIGIN || stack.url}\n`);
} catch (error) {
  if (!ending) {
    process.stderr.write(`${formatError(error)}\n`);
    process.exit(1);
  }
}
