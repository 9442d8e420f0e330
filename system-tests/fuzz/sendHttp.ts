import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import fc from "fast-check";
import pLimit from "p-limit";
import { Account } from "../client/account.ts";
import type { Findings } from "./findings.ts";
import { type HostileRequest, hostileRequests, rawRequests } from "./httpRequests.ts";
import { valuesOf } from "./sample.ts";

const AT_ONCE = 24;
const TIMEOUT_MS = 15_000;
/** Requests per account: a request may end the session of its sender. */
const PER_ACCOUNT = 500;

/** Sends `count` malformed requests through the gateway; one in eight is raw bytes. */
export async function sendHttp(url: string, count: number, seed: number, findings: Findings): Promise<void> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  for (let sent = 0, chunk = 0; sent < count; chunk += 1) {
    const numRuns = Math.min(PER_ACCOUNT, count - sent);
    sent += numRuns;
    const options = { numRuns, seed: seed + chunk };
    if (chunk % 8 === 1) {
      await pLimit(AT_ONCE).map(fc.sample(rawRequests, options), (bytes) =>
        sendRaw(hostname, Number(port), bytes, findings),
      );
      continue;
    }
    const [one, other] = await Promise.all([Account.register(url, "Fuzz"), Account.register(url, "Fuzz")]);
    const values = valuesOf(one, other, await one.befriend(other));
    const requests = fc.sample(hostileRequests(values, one.cookie, other.cookie), options);
    await pLimit(AT_ONCE).map(requests, async (hostile) => {
      const { status, isJson } = await send(hostname, Number(port), agent, hostile, findings);
      const isReached = status === 200 && isJson && /internal/i.test(hostile.path);
      if (isReached) findings.fault("an internal call succeeded", `${hostile.method} ${hostile.path}`);
    });
  }
  agent.destroy();
}

/** The response: status 0 if the connection was closed, -1 on a timeout. */
interface Outcome {
  status: number;
  isJson: boolean;
}

export function send(
  host: string,
  port: number,
  agent: Agent,
  hostile: HostileRequest,
  findings: Findings,
): Promise<Outcome> {
  const { method, path, body } = hostile;
  const headers = { ...hostile.headers, ...(body ? { "content-length": body.length } : {}) };
  return new Promise((resolve) => {
    const settle = (status: number, response?: IncomingMessage) => {
      judge(status, `${method} ${path} ${JSON.stringify(hostile.headers)} ${body ?? ""}`, findings);
      resolve({ status, isJson: String(response?.headers["content-type"]).startsWith("application/json") });
    };
    try {
      const call = request(
        { host, port, agent, method, path: encodePath(path), headers, timeout: TIMEOUT_MS },
        (response) => {
          response.resume().once("close", () => settle(response.statusCode ?? 0, response));
        },
      );
      call.once("upgrade", (response, socket) => {
        socket.destroy();
        settle(response.statusCode ?? 0);
      });
      call.once("timeout", () => call.destroy(new Error("timeout")));
      call.once("error", (error) => settle(error.message === "timeout" ? -1 : 0));
      call.end(body);
    } catch (error) {
      findings.fault("the tool could not send a request", `${method} ${path}: ${error}`);
      resolve({ status: 0, isJson: false });
    }
  });
}

/** Encodes characters that the HTTP library rejects in a path. */
const encodePath = (path: string) => path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));

function sendRaw(host: string, port: number, bytes: Buffer, findings: Findings): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let response = "";
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    // Half-close, because an announced body may be missing.
    socket.end(bytes);
    socket.on("data", (chunk) => {
      response += chunk.toString("latin1", 0, 200);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      judge(Number(/^HTTP\/1\.[01] (\d{3})/.exec(response)?.[1] ?? 0), bytes.toString("latin1"), findings);
      resolve();
    });
  });
}

function judge(status: number, request: string, findings: Findings): void {
  findings.count("malformed HTTP requests");
  findings.count(status === 0 ? "HTTP: closed without a response" : status < 0 ? "HTTP: timeout" : `HTTP ${status}`);
  // nginx rejects unknown HTTP versions with 505 before it parses the request.
  if ((status >= 500 && status !== 505) || status < 0) findings.fault(`HTTP ${status}`, request);
}
