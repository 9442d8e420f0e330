import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer, listen } from "../src/process/run.ts";

/** A request of a test. */
interface TestCall {
  method?: string;
  body?: unknown;
  /** Sent instead of a JSON body. */
  raw?: string;
  cookie?: string;
  headers?: Record<string, string>;
}
/** A response to a test. The body has the type that the test expects; nothing checks it. */
interface TestResponse<Body> {
  status: number;
  body: Body;
  /** Cookie that the response set, as `name=value`, or an empty string. */
  cookie: string;
  headers: Headers;
}

/**
 * Serves an app on a free port of the loopback address. Returns its URL, the server, a function that calls it over
 * HTTP, and `close`.
 */
export async function serveForTest(handler: RequestListener) {
  const server = await listen(handler, 0, "127.0.0.1");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function call<Body = { error: string }>(
    path: string,
    { method = "GET", body, raw, cookie, headers }: TestCall = {},
  ): Promise<TestResponse<Body>> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined || raw !== undefined ? { "content-type": "application/json" } : {}),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    const set = response.headers.get("set-cookie") ?? "";
    return {
      status: response.status,
      body: (await response.json()) as Body,
      cookie: set.split(";")[0] ?? "",
      headers: response.headers,
    };
  }
  return { url, server, call, close: () => closeServer(server, 100) };
}
