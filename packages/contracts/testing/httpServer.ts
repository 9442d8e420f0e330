import { type HttpHandler, HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import type * as v from "valibot";
import type { Endpoint } from "../src/http/endpoint.ts";

export interface ReceivedRequest {
  method: string;
  /** Path without the gateway's prefix. */
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** Requests of the current test, in the order of their arrival. */
export const received: ReceivedRequest[] = [];

/** Returns a handler that serves an endpoint. The contract gives the response its type. */
export function respond<E extends Endpoint>(
  endpoint: E,
  reply: (request: ReceivedRequest) => v.InferInput<E["response"]> | Promise<v.InferInput<E["response"]>>,
): HttpHandler {
  return handle(endpoint, async (request) => HttpResponse.json((await reply(request)) as JsonBodyType));
}

/** Returns a handler that refuses an endpoint's requests with `{error}`. */
export const refuse = (endpoint: Endpoint, status: number, error: string): HttpHandler =>
  handle(endpoint, () => HttpResponse.json({ error }, { status }));

/** Returns a handler whose requests fail as they do without a network. */
export const failNetwork = (endpoint: Endpoint): HttpHandler => handle(endpoint, () => HttpResponse.error());

/** Returns a handler that responds with a page instead of JSON. */
export const respondUnreadable = (endpoint: Endpoint): HttpHandler =>
  handle(endpoint, () => HttpResponse.html("<html></html>"));

/** Returns a handler that never responds. */
export const hang = (endpoint: Endpoint): HttpHandler => handle(endpoint, () => new Promise<never>(() => undefined));

function handle(
  { method, path }: Endpoint,
  resolve: (request: ReceivedRequest) => Response | Promise<Response>,
): HttpHandler {
  const name = method.toLowerCase() as "get" | "post" | "put" | "delete";
  return http[name](`*/messageoh${path}`, async ({ request }) => {
    const url = new URL(request.url);
    const text = await request.text();
    const entry = {
      method,
      path: url.pathname.replace(/^.*\/messageoh/, ""),
      query: Object.fromEntries(url.searchParams),
      body: text === "" ? undefined : JSON.parse(text),
    };
    received.push(entry);
    return resolve(entry);
  });
}

/** Serves these handlers during a test file; `server.use` replaces them for one test. Other requests fail the test. */
export function startHttpServer(...handlers: HttpHandler[]) {
  const server = setupServer(...handlers);
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  afterEach(() => {
    server.resetHandlers();
    received.length = 0;
  });
  afterAll(() => server.close());
  return server;
}
