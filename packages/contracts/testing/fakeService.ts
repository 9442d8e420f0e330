import type * as v from "valibot";
import { ApiError, type Call } from "../src/http/client.ts";
import type { CallInput, Endpoint } from "../src/http/endpoint.ts";
import { parse } from "../src/rules/parse.ts";

/** The parsed parts of a request. */
interface RequestOf<E extends Endpoint> {
  params: v.InferOutput<E["params"]>;
  body: v.InferOutput<E["body"]>;
}
type ResponseOf<E extends Endpoint> = v.InferInput<E["response"]>;

/** An endpoint of a fake service with its handler. */
export interface Route {
  endpoint: Endpoint;
  respond: (input: CallInput<Endpoint>) => Promise<unknown>;
}

/** Returns a route whose handler gets a request that conforms to the contract and returns a response that does. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (request: RequestOf<E>) => ResponseOf<E> | Promise<ResponseOf<E>>,
): Route {
  return {
    endpoint,
    respond: async ({ params, body }) =>
      handle({
        params: parse<E["params"]>(endpoint.params, params ?? {}),
        body: parse<E["body"]>(endpoint.body, body ?? {}),
      }),
  };
}

/**
 * Returns a client of a fake service. It checks requests and responses against the contracts and rejects a call without
 * a route with 404.
 */
export function createFakeCall(routes: readonly Route[]): Call {
  return async (endpoint, input = {}) => {
    const found = routes.find((candidate) => candidate.endpoint.path === endpoint.path);
    if (!found) throw new ApiError(404);
    return parse<(typeof endpoint)["response"]>(endpoint.response, await found.respond(input));
  };
}
