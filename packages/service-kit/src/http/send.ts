import { Agent, request } from "undici";

// Shorter than the keep-alive timeout of the services (75 s), so that no call meets a connection that the server is
// closing.
const agent = new Agent({ keepAliveTimeout: 60_000, connect: { timeout: 5_000 } });

/** The subset of `RequestInit` that {@link send} uses. */
export interface SendOptions {
  method: "GET" | "POST" | "PUT" | "DELETE";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/**
 * Sends a request to another service over a kept-alive connection and returns the subset of a `Response` that the
 * client of the contracts uses. It uses undici's `request`, which costs a fraction of `fetch`. Rejects if the
 * connection fails or the signal aborts.
 */
export async function send(url: string, { method, headers, body, signal }: SendOptions) {
  const { statusCode, body: response } = await request(url, { dispatcher: agent, method, headers, body, signal });
  return { ok: statusCode >= 200 && statusCode < 300, status: statusCode, json: () => response.json() };
}
