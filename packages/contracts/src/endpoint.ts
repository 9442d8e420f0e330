import * as z from "zod/mini";

/** One HTTP call, described once and used by both ends: the service mounts it, the caller types it. */
export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `:name` parts, without the gateway's prefix. */
  path: string;
  params: Params;
  query: Query;
  body: Body;
  answer: Answer;
}

const nothing = z.object({});
type Nothing = typeof nothing;

/**
 * Describes one HTTP call. Parts left out accept (and strip) anything.
 * @returns the endpoint with a schema for each of params, query, body and answer
 */
export function endpoint<
  Answer extends z.ZodMiniType,
  Params extends z.ZodMiniType = Nothing,
  Query extends z.ZodMiniType = Nothing,
  Body extends z.ZodMiniType = Nothing,
>(parts: {
  method: Endpoint["method"];
  path: string;
  params?: Params;
  query?: Query;
  body?: Body;
  answer: Answer;
}): Endpoint<Params, Query, Body, Answer> {
  return {
    method: parts.method,
    path: parts.path,
    params: (parts.params ?? nothing) as Params,
    query: (parts.query ?? nothing) as Query,
    body: (parts.body ?? nothing) as Body,
    answer: parts.answer,
  };
}

/** What a caller hands over: the parts that the endpoint declares. */
export interface CallInput<E extends Endpoint> {
  params?: z.input<E["params"]>;
  query?: z.input<E["query"]>;
  body?: z.input<E["body"]>;
}
