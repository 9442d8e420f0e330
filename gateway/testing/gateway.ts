import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import http, { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { makeCertificate } from "@messageoh/stack/certificate";
import { repoRoot } from "@messageoh/stack/command/root";
import { findNginx } from "@messageoh/stack/dependencies/programs";
import { gatewayPart, renderGateway, type Upstream } from "@messageoh/stack/gateway";
import { freePort } from "@messageoh/stack/ports";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";

/** A stub service that returns each request in its response, and records the paths in `seen`. */
export type Echo = Upstream & { ready: boolean; seen: string[]; server: Server };
export type GatewayResponse = { status: number; headers: IncomingHttpHeaders; body: string };

/** Starts an echo. Its `ready` decides the response of /readyz. */
export async function startEcho(name: string): Promise<Echo> {
  const echo: Echo = { name, port: 0, ready: true, seen: [], server: createServer() };
  echo.server.on("request", (req, res) => {
    req.resume();
    if (req.url === "/readyz") return res.writeHead(echo.ready ? 200 : 503).end();
    echo.seen.push(req.url ?? "");
    res.setHeader("content-type", "application/json");
    res.end(JSON.stringify({ from: name, path: req.url, headers: req.headers }));
  });
  await new Promise<void>((resolve) => echo.server.listen(0, "127.0.0.1", resolve));
  echo.port = (echo.server.address() as AddressInfo).port;
  return echo;
}

/** Stops an echo and closes the connections of nginx to it. */
export function stopEcho(echo: Echo): Promise<void> {
  echo.server.closeAllConnections();
  return new Promise((resolve) => echo.server.close(() => resolve()));
}

type Settings = Partial<Record<"host" | "www" | "mediaDir" | "publicOrigin" | "trustedProxies" | "s3Url", string>> & {
  /** Whether it accepts HTTPS only, with a self-signed certificate. */
  isHttps?: boolean;
  /** File of the certificates by which it checks S3, instead of those of the system. */
  s3Certificates?: string;
};

/** Starts nginx with the configuration of the repository, in front of upstreams and static files. */
export async function startGateway(
  upstreams: Record<"users" | "messages" | "realtime" | "media", Upstream[]>,
  files: Record<string, string>,
  settings: Settings = {},
): Promise<{ port: number; dir: string; mediaDir: string; log: () => string; stop: () => Promise<void> }> {
  const { dir, supervisor, stop } = await temporarySupervisor("gateway");
  const { www = join(dir, "www"), mediaDir = join(dir, "media"), isHttps, s3Certificates } = settings;
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(www, path)), { recursive: true });
    await writeFile(join(www, path), content);
  }
  const port = await freePort();
  try {
    const tls = isHttps ? await makeCertificate(dir) : undefined;
    await renderGateway(repoRoot(), join(dir, "gateway"), { ...settings, port, tls, www, mediaDir, ...upstreams });
    if (s3Certificates) {
      const conf = join(dir, "gateway/settings.conf");
      const trusted = /(?<=proxy_ssl_trusted_certificate ).*(?=;)/;
      await writeFile(conf, readFileSync(conf, "utf8").replace(trusted, s3Certificates));
    }
    await supervisor.start(gatewayPart(await findNginx(), join(dir, "gateway"), port));
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, dir, mediaDir, log: () => readFileSync(join(dir, "logs/gateway.log"), "utf8"), stop };
}

/** Files of a small front end. The page includes the pointer of mfe-auth. */
export const FILES = {
  "shell/index.html":
    '<!doctype html><script type="application/json"><!--# include virtual="/mfe-auth/current.json" --></script>',
  "shell/assets/main.12345678.js": "shell()",
  "shell/current.json": '{"release":"s1"}',
  "shell/manifest.webmanifest": "{}",
  "shell/service-worker.js": "worker()",
  "mfe-auth/current.json": '{"release":"r1"}',
  "mfe-auth/r1/mf-manifest.json": "{}",
  "mfe-auth/r1/remoteEntry.12345678.js": "auth()",
};

/** Starts a gateway and five echoes for the tests of a file, and stops them after the tests. */
export function useGateway() {
  const echoes = {} as Record<"users" | "messages" | "realtime1" | "realtime2" | "media", Echo>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  beforeAll(async () => {
    echoes.users = await startEcho("svc-users");
    echoes.messages = await startEcho("svc-messages");
    echoes.realtime1 = await startEcho("svc-realtime-1");
    echoes.realtime2 = await startEcho("svc-realtime-2");
    echoes.media = await startEcho("svc-media");
    const { users, messages, realtime1, realtime2, media } = echoes;
    const upstreams = { users: [users], messages: [messages], realtime: [realtime1, realtime2], media: [media] };
    gateway = await startGateway(upstreams, FILES);
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await Promise.all(Object.values(echoes).map(stopEcho));
  });
  return {
    echoes,
    port: () => gateway.port,
    request: (path: string, options?: CallOptions): Promise<GatewayResponse> => call(gateway.port, path, options),
  };
}

export type CallOptions = { method?: string; body?: string; headers?: Record<string, string>; isHttps?: boolean };

/** Sends one request. Unlike `fetch`, it does not normalise the path. */
export function call(port: number, path: string, options: CallOptions = {}): Promise<GatewayResponse> {
  const { method = "GET", body, isHttps = false } = options;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const headers = { ...length, ...options.headers };
  const to = { host: "127.0.0.1", port, path, method, headers, agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const sent = (isHttps ? https : http).request(to, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
