import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import fc from "fast-check";
import { Account } from "../client/account.ts";
import { type Findings, workThrough } from "./findings.ts";
import { type HostileRequest, hostileRequests, rawRequests } from "./httpRequests.ts";
import { valuesOf } from "./sample.ts";

const AT_ONCE = 24;
const PATIENCE_MS = 15_000;
/** A request may log its sender out, so each so many come from somebody new. */
const PER_ACCOUNT = 500;

/** Sends so many malformed requests through the gateway; one in eight is bytes that no library would write. */
export async function sendHttp(url: string, count: number, seed: number, findings: Findings): Promise<void> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  for (let sent = 0, chunk = 0; sent < count; chunk += 1) {
    const numRuns = Math.min(PER_ACCOUNT, count - sent);
    sent += numRuns;
    const options = { numRuns, seed: seed + chunk };
    if (chunk % 8 === 7) {
      await workThrough(fc.sample(rawRequests, options), AT_ONCE, (bytes) =>
        sendRaw(hostname, Number(port), bytes, findings),
      );
      continue;
    }
    const [one, other] = await Promise.all([Account.register(url, "Fuzz"), Account.register(url, "Fuzz")]);
    const values = valuesOf(one, other, await one.befriend(other));
    const requests = fc.sample(hostileRequests(values, one.cookie, other.cookie), options);
    await workThrough(requests, AT_ONCE, async (hostile) => {
      const { status, isJson } = await send(hostname, Number(port), agent, hostile, findings);
      const isAnswered = status === 200 && isJson && /internal/i.test(hostile.path);
      if (isAnswered) findings.fault("an internal call answered", `${hostile.method} ${hostile.path}`);
    });
  }
  agent.destroy();
}

/** What came back: status 0 where the connection was closed instead, -1 where nothing came. */
interface Answer {
  status: number;
  isJson: boolean;
}

/** Sends one request. */
export function send(
  host: string,
  port: number,
  agent: Agent,
  hostile: HostileRequest,
  findings: Findings,
): Promise<Answer> {
  const { method, path, body } = hostile;
  const headers = { ...hostile.headers, ...(body ? { "content-length": body.length } : {}) };
  return new Promise((resolve) => {
    const settle = (status: number, answer?: IncomingMessage) => {
      judge(status, `${method} ${path} ${JSON.stringify(hostile.headers)} ${body ?? ""}`, findings);
      resolve({ status, isJson: String(answer?.headers["content-type"]).startsWith("application/json") });
    };
    try {
      const call = request(
        { host, port, agent, method, path: encodePath(path), headers, timeout: PATIENCE_MS },
        (answer) => {
          answer.resume().once("close", () => settle(answer.statusCode ?? 0, answer));
        },
      );
      call.once("upgrade", (answer, socket) => {
        socket.destroy();
        settle(answer.statusCode ?? 0);
      });
      call.once("timeout", () => call.destroy(new Error("no answer")));
      call.once("error", (error) => settle(error.message === "no answer" ? -1 : 0));
      call.end(body);
    } catch (error) {
      findings.fault("the tool could not send a request", `${method} ${path}: ${error}`);
      resolve({ status: 0, isJson: false });
    }
  });
}

/** The HTTP library refuses what a path may not hold; the raw requests have that. */
const encodePath = (path: string) => path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));

function sendRaw(host: string, port: number, bytes: Buffer, findings: Findings): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let answer = "";
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    // A body that was announced never comes: the end of what is sent says so.
    socket.end(bytes);
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1", 0, 200);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      judge(Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0), bytes.toString("latin1"), findings);
      resolve();
    });
  });
}

function judge(status: number, what: string, findings: Findings): void {
  findings.count("malformed HTTP requests");
  findings.count(status === 0 ? "HTTP: closed without an answer" : status < 0 ? "HTTP: no answer" : `HTTP ${status}`);
  // 505 is nginx' word for a version of HTTP that does not exist, said before there is a request.
  if ((status >= 500 && status !== 505) || status < 0) findings.fault(`HTTP ${status}`, what);
}
