import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { API_BASE } from "@messageoh/contracts/client";

/** Recorded responses by call: `GET /friends/ann` or, with a query, `GET /messages/ann?limit=1`. */
type RecordedResponses = Record<string, unknown>;

/** Returns the responses in a front end's `recorded.json`; none if the file does not exist. */
export function readRecorded(dir: string): RecordedResponses {
  try {
    return JSON.parse(readFileSync(join(dir, "recorded.json"), "utf8")) as RecordedResponses;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

/** Returns the response to a call, by its exact address or else by its path; `undefined` if none is recorded. */
export function findRecorded(responses: RecordedResponses, method: string, address: string): unknown {
  const { pathname, search } = new URL(address, "http://localhost");
  const call = `${method} ${pathname.slice(API_BASE.length)}`;
  return responses[call + search] ?? responses[call];
}

/** Returns a middleware that serves recorded responses. It reads the file for each request, so that you can edit it. */
export function serveRecorded(dir: string) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { method = "GET", url = "/" } = request;
    if (!url.startsWith(`${API_BASE}/`)) {
      next();
      return;
    }
    const recorded = findRecorded(readRecorded(dir), method, url);
    response.writeHead(recorded === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(recorded ?? { error: `${method} ${url} is not recorded` }));
  };
}
