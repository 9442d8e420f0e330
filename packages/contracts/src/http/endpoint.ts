import * as v from "valibot";

/** One HTTP call, described once and used by both ends: the service mounts it, the caller gets its types. */
export interface Endpoint<
  Params extends v.GenericSchema = v.GenericSchema,
  Query extends v.GenericSchema = v.GenericSchema,
  Body extends v.GenericSchema = v.GenericSchema,
  Response extends v.GenericSchema = v.GenericSchema,
> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `:name` parts, without the gateway's prefix. */
  path: string;
  params: Params;
  query: Query;
  body: Body;
  response: Response;
}

const nothing = v.object({});
type Nothing = typeof nothing;

/**
 * Returns the description of one HTTP call, with a schema for each of params, query, body and response.
 * @param parts schemas; a part that is left out accepts any value and strips it
 */
export function endpoint<
  Response extends v.GenericSchema,
  Params extends v.GenericSchema = Nothing,
  Query extends v.GenericSchema = Nothing,
  Body extends v.GenericSchema = Nothing,
>(parts: {
  method: Endpoint["method"];
  path: string;
  params?: Params;
  query?: Query;
  body?: Body;
  response: Response;
}): Endpoint<Params, Query, Body, Response> {
  return {
    method: parts.method,
    path: parts.path,
    params: (parts.params ?? nothing) as Params,
    query: (parts.query ?? nothing) as Query,
    body: (parts.body ?? nothing) as Body,
    response: parts.response,
  };
}

/** The input of a call: the parts that the endpoint declares. */
export interface CallInput<E extends Endpoint> {
  params?: v.InferInput<E["params"]>;
  query?: v.InferInput<E["query"]>;
  body?: v.InferInput<E["body"]>;
}
