import * as v from "valibot";
import { safeParse } from "../rules/parse.ts";
import type { CallInput, Endpoint } from "./endpoint.ts";
import { API_BASE, ApiError, type ClientOptions, requestJson, type Send } from "./request.ts";

export { API_BASE, ApiError, type ClientOptions, type Send };

/** Body of every failed response: `{error: text}`. */
const errorBody = v.object({ error: v.string() });

/** Returns the error text in the parsed body of a failed response, or `undefined` if there is none. */
export const errorIn = (body: unknown): string | undefined => safeParse(errorBody, body).data?.error;

/** Sends a request and resolves with the parsed response. Rejects only with {@link ApiError}. */
export type Call = <E extends Endpoint>(
  endpoint: E,
  input?: CallInput<E> & { signal?: AbortSignal; keepalive?: boolean },
) => Promise<v.InferOutput<E["response"]>>;

/**
 * Returns the function that makes all HTTP calls of the product. It fills in the path, sends JSON, parses the response
 * with the endpoint's schema and turns every failure into an {@link ApiError}.
 */
export function createClient(options: ClientOptions): Call {
  return async (endpoint, input) => {
    const { method, path } = endpoint;
    const received = await requestJson(options, { method, path, ...input });
    const { error, data } = safeParse(endpoint.response, received);
    if (error) throw new ApiError(0, undefined, { cause: error });
    return data as v.InferOutput<(typeof endpoint)["response"]>;
  };
}
