import { ApiError } from "./ApiError.ts";
import type { Endpoint } from "./endpoint.ts";

export { ApiError };

/** Base path of the API, on the host that serves the page. */
export const API_BASE = "/messageoh";
/** Name of the cookie that tells scripts the id of the session, as in the list of sessions. It proves nothing. */
export const SESSION_ID_COOKIE = "messageoh_session_id";

/** The subset of `fetch` that calls use; `fetch` itself satisfies it. */
export type Send = (
  url: string,
  init: {
    method: Endpoint["method"];
    headers: Record<string, string>;
    body?: string;
    credentials: "same-origin";
    signal: AbortSignal;
    keepalive?: boolean;
  },
) => Promise<{ ok: boolean; status: number; json: () => Promise<unknown> }>;

export interface ClientOptions {
  /** {@link API_BASE} in a browser; between services an address such as `http://127.0.0.1:4001`. */
  baseUrl: string;
  /** Returns headers to add to every request, for instance the shared secret of internal calls. */
  headers?: () => Record<string, string>;
  /** Timeout of a call in milliseconds, 15,000 by default. */
  timeoutMs?: number;
  /** Replaces `fetch`. */
  send?: Send;
}

export interface JsonRequest {
  method: Endpoint["method"];
  /** Path with `:name` parts, which `params` replaces. */
  path: string;
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal;
  /** The browser completes the request after the page was closed. */
  keepalive?: boolean;
}

/**
 * Sends a request and resolves with the JSON of the response, which is not validated. Rejects only with
 * {@link ApiError}. It needs no schemas, so a page can use it before it loads them.
 */
export async function requestJson(options: ClientOptions, request: JsonRequest): Promise<unknown> {
  const { baseUrl, headers, timeoutMs = 15_000, send = fetch } = options;
  const { method, path, params, query, body, signal, keepalive } = request;
  // AbortSignal.timeout would keep its timer after the call has ended, and then create an error for nothing.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  let response: Awaited<ReturnType<Send>>;
  let received: unknown;
  try {
    response = await send(baseUrl + fillPath(path, params) + queryString(query), {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers?.() },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      keepalive,
    });
    received = await response.json();
  } catch (cause) {
    throw new ApiError(0, undefined, { cause });
  } finally {
    clearTimeout(timer);
  }
  const failure = (received as { error?: unknown } | null)?.error;
  const error = typeof failure === "string" ? failure : undefined;
  // The specification allows `{error}` in a response with any status.
  if (!response.ok || error !== undefined) throw new ApiError(response.status, error);
  return received;
}

function fillPath(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>;
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

function queryString(query: unknown): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) search.set(key, String(value));
  }
  return search.size === 0 ? "" : `?${search}`;
}
