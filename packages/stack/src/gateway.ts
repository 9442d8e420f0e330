import { cp, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { PlainError } from "./command/progress.ts";
import { isRoot, run } from "./command/run.ts";
import type { Program } from "./dependencies/fetched.ts";
import { exchange } from "./ports.ts";
import { type Part, STAGE } from "./processes/part.ts";
import { RAISED_GATEWAY_LIMITS } from "./raisedLimits.ts";

/** A process behind the gateway. */
export type Upstream = { name: string; port: number };
export type Tls = { certificate: string; key: string };
/** Addresses and certificate of the gateway. */
export type GatewayOptions = {
  /** The address to listen on, besides 127.0.0.1; both loopback addresses by default. */
  host?: string;
  /** PEM files of a certificate. If set, the gateway accepts HTTPS only. */
  tls?: Tls;
  /** The address that browsers use, if it is not the gateway's own, such as `https://chat.example.com`. */
  publicOrigin?: string;
  /** Addresses or networks, separated by commas, whose forwarded headers the gateway trusts. */
  trustedProxies?: string;
};
/** Settings of the gateway's configuration files. */
type GatewayPlan = GatewayOptions & {
  port: number;
  /** A further port on loopback, if several gateways share `port`: the kernel spreads new connections over them. */
  ownPort?: number | undefined;
  www: string;
  /** Folder of the files of messages, which svc-media writes. */
  mediaDir: string;
  /** The S3 server that stores these files instead. */
  s3Url?: string | undefined;
  raisesLimits?: boolean;
  users: Upstream[];
  messages: Upstream[];
  realtime: Upstream[];
  media: Upstream[];
};

/** Copies the repository's gateway configuration into `dir`, with an upstreams.conf for these processes. */
export async function renderGateway(root: string, dir: string, plan: GatewayPlan): Promise<void> {
  const source = join(root, "gateway");
  await cp(join(source, "conf"), dir, { recursive: true });
  await writeFile(join(dir, "upstreams.conf"), upstreamsConf(plan));
  const { publicOrigin: PUBLIC_ORIGIN = "", trustedProxies: TRUSTED_PROXIES = "", s3Url: S3_URL = "" } = plan;
  const env = { PATH: process.env.PATH, PUBLIC_ORIGIN, TRUSTED_PROXIES, S3_URL };
  await writeFile(join(dir, "settings.conf"), await run("sh", [join(source, "settings.sh")], { env }));
  if (plan.raisesLimits) await writeFile(join(dir, "http/limits.conf"), RAISED_GATEWAY_LIMITS);
}

/**
 * Returns the nginx process of a stack, which writes only into `dir`.
 * @param port a port that no other process listens on
 */
export function gatewayPart(nginx: Program, dir: string, port: number, name = "gateway"): Part {
  // As root, nginx runs its workers as another user, which may have no access to the data folder.
  const user = isRoot() ? ["-g", "user root;"] : [];
  const responds = async (path: string, timeoutMs: number): Promise<boolean> =>
    (await exchange(port, `GET ${path} HTTP/1.0\r\n\r\n`, timeoutMs)) !== undefined;
  return {
    name,
    ...nginx,
    args: ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr", ...user],
    cwd: dir,
    port,
    stage: STAGE.gateway,
    ready: () => responds("/healthz", 3_000),
    alive: () => responds("/livez", 10_000),
  };
}

function upstreamsConf(plan: GatewayPlan): string {
  const single = plan.realtime.map((upstream) => group(`to-${upstream.name}`, [upstream]));
  return [
    "# Written at every start. Containers use gateway/docker/upstreams.conf.",
    group("svc-users", plan.users),
    group("svc-messages", plan.messages),
    group("svc-media", plan.media),
    group("svc-realtime", plan.realtime, NO_FAILURE_LIMIT),
    ...single,
    "map $arg_sid $realtime {",
    "  default svc-realtime;",
    ...plan.realtime.map(({ name }) => `  "~^${name}\\." to-${name};`),
    "}",
    "",
    "server {",
    ...listenLines(plan),
    ...(plan.tls ? tlsLines(plan.tls) : []),
    `  set $www ${quote(plan.www)};`,
    `  set $media ${quote(plan.mediaDir)};`,
    "  include server.conf;",
    "}",
    "",
  ].join("\n");
}

function listenLines({ host, port, ownPort, tls }: GatewayPlan): string[] {
  const ssl = tls ? " ssl" : "";
  const shared = listenAddresses(host).map((address) => `${address}:${port}${ssl}${ownPort ? " reuseport" : ""}`);
  return [...shared, ...(ownPort ? [`127.0.0.1:${ownPort}${ssl}`] : [])].map((listen) => `  listen ${listen};`);
}

function tlsLines({ certificate, key }: Tls): string[] {
  return [
    `  ssl_certificate ${quote(certificate, "$at_handshake")};`,
    `  ssl_certificate_key ${quote(key, "$at_handshake")};`,
    "  include server/tls.conf;",
  ];
}

/** Quotes a path for nginx, and a variable that follows it. */
function quote(path: string, variable = ""): string {
  if (/["$\\\n]/.test(path)) throw new PlainError(`nginx does not support this path: ${path}`);
  return `"${path}${variable}"`;
}

/** nginx counts a WebSocket as a success only when it closes, so it would never retry a failed instance. */
const NO_FAILURE_LIMIT = "max_fails=0";

function group(name: string, upstreams: Upstream[], failing = "max_fails=1 fail_timeout=2s"): string {
  const servers = upstreams.map(({ port }) => `  server 127.0.0.1:${port} ${failing};`);
  const lines = [`  zone ${name} 64k;`, ...servers, "  keepalive 32;", "  keepalive_timeout 4s;"];
  return `upstream ${name} {\n${lines.join("\n")}\n}\n`;
}

function listenAddresses(host: string | undefined): string[] {
  // Probes and health checks use 127.0.0.1.
  if (host) return ["0.0.0.0", "127.0.0.1", "localhost"].includes(host) ? [host] : [host, "127.0.0.1"];
  const hasV6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));
  return hasV6 ? ["127.0.0.1", "[::1]"] : ["127.0.0.1"];
}
