import * as z from "zod/mini";
import type { CallInput, Endpoint } from "./endpoint.ts";
import { GENERIC_ERROR } from "./errorTexts.ts";

/** The base address of the API, on the host that serves the page. */
export const API_BASE = "/messageoh";

/** What every failed call answers: `{error: text}` with the right status. */
export const errorBody = z.object({ error: z.string() });

/**
 * A call that did not succeed. `status` is the HTTP status, or 0 when no readable answer came back
 * (network failure, time-out, unparsable body). `serverMessage` is the server's own `{error}` text, if any.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly serverMessage: string | undefined;

  constructor(status: number, serverMessage?: string, options?: ErrorOptions) {
    super(serverMessage ?? GENERIC_ERROR, options);
    this.name = "ApiError";
    this.status = status;
    this.serverMessage = serverMessage;
  }
}

/** A typed call. Rejects with {@link ApiError} and nothing else. */
export type Call = <E extends Endpoint>(
  endpoint: E,
  input?: CallInput<E> & { signal?: AbortSignal },
) => Promise<z.output<E["answer"]>>;

/** What a client needs of `fetch`, which is one. */
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
  /** {@link API_BASE} in a browser or `http://127.0.0.1:4001` between services. */
  baseUrl: string;
  /** Headers added to every call, for instance the shared secret of internal calls. */
  headers?: () => Record<string, string>;
  /** Time after which a call counts as failed, in milliseconds. */
  timeoutMs?: number;
  /** Another way to send than `fetch`. */
  send?: Send;
}

/**
 * Makes the one function through which all HTTP calls of the product go. It fills the path, sends JSON,
 * turns every failure into an {@link ApiError} and parses the answer with the endpoint's schema.
 */
export function createClient({ baseUrl, headers, timeoutMs = 15_000, send }: ClientOptions): Call {
  return async (endpoint, { params, query, body, signal } = {}) => {
    // One that is over ends its timer: AbortSignal.timeout would let it run out, and make an error for each.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    let response: Awaited<ReturnType<Send>>;
    let answer: unknown;
    try {
      response = await (send ?? fetch)(baseUrl + fillPath(endpoint.path, params) + queryString(query), {
        method: endpoint.method,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers?.() },
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "same-origin",
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      answer = await response.json();
    } catch (cause) {
      throw new ApiError(0, undefined, { cause });
    } finally {
      clearTimeout(timer);
    }
    const failure = (answer as Partial<z.infer<typeof errorBody>> | null)?.error;
    const error = typeof failure === "string" ? failure : undefined;
    // The specification lets a call answer `{error}` where others answer data, whatever its status.
    if (!response.ok || error !== undefined) throw new ApiError(response.status, error);
    const parsed = z.safeParse(endpoint.answer, answer);
    if (!parsed.success) throw new ApiError(0, undefined, { cause: parsed.error });
    return parsed.data as z.output<(typeof endpoint)["answer"]>;
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
