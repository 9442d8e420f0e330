import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { API_BASE } from "@messageoh/contracts/client";

/** What a running product answered: `GET /friends/ann` or, where a query matters, `GET /messages/ann?limit=1`. */
export type RecordedAnswers = Record<string, unknown>;

/** The answers in a front end's `recorded.json`; none where it has no such file. */
export function readRecorded(dir: string): RecordedAnswers {
  try {
    return JSON.parse(readFileSync(join(dir, "recorded.json"), "utf8")) as RecordedAnswers;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

/** The answer to a call, by its exact address or else by its path; undefined for what was not recorded. */
export function findRecorded(answers: RecordedAnswers, method: string, address: string): unknown {
  const { pathname, search } = new URL(address, "http://localhost");
  const call = `${method} ${pathname.slice(API_BASE.length)}`;
  return answers[call + search] ?? answers[call];
}

/** For a development server: answers calls from the record, read anew each time so that it can be edited. */
export function answerFromRecord(dir: string) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { method = "GET", url = "/" } = request;
    if (!url.startsWith(`${API_BASE}/`)) {
      next();
      return;
    }
    const answer = findRecorded(readRecorded(dir), method, url);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: `${method} ${url} is not recorded` }));
  };
}
