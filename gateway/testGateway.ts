import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http, { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";
import { findNginx } from "@messageoh/stack/dependencies/nginx";
import { gatewayPart, renderGateway, type Tls, type Upstream } from "@messageoh/stack/gateway";
import { freePort } from "@messageoh/stack/ports";
import { Supervisor } from "@messageoh/stack/processes/supervisor";

/** A service that answers every request with what it was asked. */
export type Echo = Upstream & { ready: boolean; seen: string[]; server: Server };
export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** Starts an echo; `ready` decides what its /readyz says. */
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

/** Ends an echo and the connections that nginx keeps to it. */
export function stopEcho(echo: Echo): Promise<void> {
  echo.server.closeAllConnections();
  return new Promise((resolve) => echo.server.close(() => resolve()));
}

/** Real nginx with the repository's configuration, in front of the echoes and of some static files. */
export async function startGateway(
  upstreams: { users: Upstream[]; messages: Upstream[]; realtime: Upstream[] },
  files: Record<string, string>,
  settings: { tls?: Tls; publicOrigin?: string; trustedProxies?: string } = {},
): Promise<{ port: number; log: () => string; stop: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "messageoh-gateway-"));
  const www = join(dir, "www");
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(www, path)), { recursive: true });
    await writeFile(join(www, path), content);
  }
  const port = await freePort();
  const supervisor = new Supervisor(dir);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await renderGateway(repoRoot(), join(dir, "gateway"), { port, www, ...settings, ...upstreams });
    await supervisor.start(gatewayPart(await findNginx(), join(dir, "gateway"), port));
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, log: () => readFileSync(join(dir, "logs/gateway.log"), "utf8"), stop };
}

export type CallOptions = { method?: string; body?: string; headers?: Record<string, string>; isHttps?: boolean };

/** One request with its path sent as it is: fetch would tidy it up first. */
export function call(port: number, path: string, options: CallOptions = {}): Promise<Answer> {
  const { method = "GET", body, isHttps = false } = options;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const headers = { ...length, ...options.headers };
  const to = { host: "127.0.0.1", port, path, method, headers, agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const sent = (isHttps ? https : http).request(to, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
