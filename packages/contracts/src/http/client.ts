import * as z from "zod/mini";
import { ApiError } from "./ApiError.ts";
import type { CallInput, Endpoint } from "./endpoint.ts";

export { ApiError };

/** Base path of the API, on the host that serves the page. */
export const API_BASE = "/messageoh";

/** Body of every failed response: `{error: text}`. */
export const errorBody = z.object({ error: z.string() });

/** Sends a request and resolves with the parsed response. Rejects only with {@link ApiError}. */
export type Call = <E extends Endpoint>(
  endpoint: E,
  input?: CallInput<E> & { signal?: AbortSignal },
) => Promise<z.output<E["response"]>>;

/** The subset of `fetch` that the client uses; `fetch` itself satisfies it. */
export type Send = (
  url: string,
  init: {
    method: Endpoint["method"];
    headers: Record<string, string>;
    body?: string;
    credentials: "same-origin";
    signal: AbortSignal;
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

/**
 * Returns the function that makes all HTTP calls of the product. It fills in the path, sends JSON, parses the response
 * with the endpoint's schema and turns every failure into an {@link ApiError}.
 */
export function createClient({ baseUrl, headers, timeoutMs = 15_000, send }: ClientOptions): Call {
  return async (endpoint, { params, query, body, signal } = {}) => {
    // AbortSignal.timeout would keep its timer after the call has ended, and then create an error for nothing.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    let response: Awaited<ReturnType<Send>>;
    let received: unknown;
    try {
      response = await (send ?? fetch)(baseUrl + fillPath(endpoint.path, params) + queryString(query), {
        method: endpoint.method,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers?.() },
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "same-origin",
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      received = await response.json();
    } catch (cause) {
      throw new ApiError(0, undefined, { cause });
    } finally {
      clearTimeout(timer);
    }
    const failure = (received as Partial<z.infer<typeof errorBody>> | null)?.error;
    const error = typeof failure === "string" ? failure : undefined;
    // The specification allows `{error}` in a response with any status.
    if (!response.ok || error !== undefined) throw new ApiError(response.status, error);
    const parsed = z.safeParse(endpoint.response, received);
    if (!parsed.success) throw new ApiError(0, undefined, { cause: parsed.error });
    return parsed.data as z.output<(typeof endpoint)["response"]>;
  };
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
