import type Router from "@koa/router";
import type { Endpoint } from "@messageoh/contracts/endpoint";
import type { Context } from "koa";
import * as z from "zod/mini";
import { badRequest, forbidden, notFound, unauthorised } from "./errors.ts";
import { isForeign } from "./foreignOrigin.ts";
import {
  INTERNAL_BODY_MAX_BYTES,
  type InternalCall,
  type InternalCalls,
  knowsSecret,
  SECRET_HEADER,
} from "./internal.ts";
import type { Logger } from "./logger.ts";
import { readJson } from "./readJson.ts";

const PUBLIC_BODY_MAX_BYTES = 100_000;

/** A parsed call: what the endpoint's schemas made of the request. */
interface Input<E extends Endpoint> {
  params: z.output<E["params"]>;
  query: z.output<E["query"]>;
  body: z.output<E["body"]>;
  requestId: string;
  logger: Logger;
}
export interface Parsed<E extends Endpoint> extends Input<E> {
  ctx: Context;
}
type Answer<E extends Endpoint> = Promise<z.input<E["answer"]>> | z.input<E["answer"]>;

export interface RoutesOptions<Session> {
  router: Router;
  logger: Logger;
  internalSecret: string;
  /** Finds the session behind a request's cookies; null when there is none. Rejects when it cannot know. */
  findSession: (ctx: Context) => Promise<Session | null>;
  userIdOf: (session: Session) => string;
}

/**
 * The one place where a service decides who may call what. Each endpoint is mounted with one of three kinds of access;
 * its params, query and body are parsed before the handler sees them.
 */
export function createRoutes<Session>({
  router,
  logger,
  internalSecret,
  findSession,
  userIdOf,
}: RoutesOptions<Session>) {
  const calls = new Map<string, InternalCall>();

  const parseInput = <E extends Endpoint>(
    endpoint: E,
    { params = {}, query = {}, body }: { params?: unknown; query?: unknown; body: unknown },
    requestId: string,
  ): Input<E> => ({
    params: parsePart<E["params"]>(endpoint.params, params),
    query: parsePart<E["query"]>(endpoint.query, query),
    body: parsePart<E["body"]>(endpoint.body, body ?? {}),
    requestId,
    logger: logger.child({ request_id: requestId }),
  });

  function mount<E extends Endpoint>(
    endpoint: E,
    bodyMaxBytes: number,
    run: (ctx: Context, parse: () => Promise<Parsed<E>>) => Answer<E>,
  ): void {
    router.register(endpoint.path, [endpoint.method], async (ctx: Context) => {
      const parse = async (): Promise<Parsed<E>> => {
        const input = { params: ctx.params, query: { ...ctx.query }, body: await readJson(ctx.req, bodyMaxBytes) };
        return { ...parseInput(endpoint, input, ctx.state.requestId), ctx };
      };
      ctx.body = await run(ctx, parse);
      ctx.status = 200;
    });
  }

  /** What browsers call: whoever changes something must be a page of this origin. */
  function mountPublic<E extends Endpoint>(
    endpoint: E,
    run: (ctx: Context, parse: () => Promise<Parsed<E>>) => Answer<E>,
  ): void {
    mount(endpoint, PUBLIC_BODY_MAX_BYTES, (ctx, parse) => {
      if (endpoint.method !== "GET" && isForeign(ctx.headers)) throw forbidden("Another site may not ask for this");
      return run(ctx, parse);
    });
  }

  return {
    /** For everyone. */
    open<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E>) => Answer<E>): void {
      mountPublic(endpoint, async (_, parse) => handler(await parse()));
    },

    /** For a session. A `user_id` in the path or the body must be the session's own; without a session 401, with another's 403. */
    signedIn<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E> & { session: Session }) => Answer<E>): void {
      mountPublic(endpoint, async (ctx, parse) => {
        const session = await findSession(ctx);
        if (session === null) throw unauthorised();
        const call = await parse();
        for (const part of [call.params, call.body] as { user_id?: string }[]) {
          if (part.user_id !== undefined && part.user_id !== userIdOf(session)) throw forbidden();
        }
        return handler({ ...call, session });
      });
    },

    /** For other services, which know the shared secret. To anyone else the path does not exist. */
    internal<E extends Endpoint>(endpoint: E, handler: (call: Input<E>) => Answer<E>): void {
      mount(endpoint, INTERNAL_BODY_MAX_BYTES, async (ctx, parse) => {
        if (!knowsSecret(ctx.get(SECRET_HEADER), internalSecret)) throw notFound();
        return handler(await parse());
      });
      calls.set(`${endpoint.method} ${endpoint.path}`, async (body, requestId) =>
        handler(parseInput(endpoint, { body }, requestId)),
      );
    },

    /** What is mounted for other services, to be served over a kept connection as well: see `serveCalls`. */
    calls: calls as InternalCalls,
  };
}

function parsePart<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".");
  const text = issue?.message ?? "Invalid input";
  throw badRequest(text === "Invalid input" && field ? `${field}: ${text}` : text);
}
