import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type Router from "@koa/router";
import type { Endpoint } from "@messageoh/contracts/endpoint";
import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import { badRequest, forbidden, HttpError, notFound, unauthorised } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { clientAddress } from "./clientAddress.ts";
import { isForeign } from "./foreignOrigin.ts";
import { INTERNAL_BODY_MAX_BYTES, knowsSecret, SECRET_HEADER } from "./internal.ts";
import { callName, listInternalCalls } from "./peers.ts";
import { readJson } from "./readJson.ts";

const PUBLIC_BODY_MAX_BYTES = 100_000;
/** No page sends an invalid call, so it counts as many. */
const INVALID_POINTS = 10;
/** Refusals that are remembered, at most about 500 bytes each. */
const REFUSALS_MAX = 10_000;
/** A longer list is serialised in parts, so that it does not block the event loop. */
const STREAMED_FROM = 100;

/** A parsed call: what the endpoint's schemas made of the request. */
export interface Parsed<E extends Endpoint> {
  params: z.output<E["params"]>;
  query: z.output<E["query"]>;
  body: z.output<E["body"]>;
  requestId: string;
  logger: Logger;
  ctx: Context;
}
type Answer<E extends Endpoint> = Promise<z.input<E["answer"]>> | z.input<E["answer"]>;

interface Limit {
  /** Counts one; throws or rejects with 429 when it is one too many. */
  take: (key: string) => Promise<void> | void;
  /** Counts more without refusing. */
  charge?: (key: string, points: number) => void;
}

export interface RoutesOptions<Session> {
  router: Router;
  logger: Logger;
  internalSecret: string;
  /** The token in a request's cookies, if any. */
  tokenOf: (ctx: Context) => string | undefined;
  /** Finds the session behind a request's cookies; null when there is none. Rejects when it cannot know. */
  findSession: (ctx: Context) => Promise<Session | null>;
  userIdOf: (session: Session) => string;
  /**
   * The rate limit of a call that browsers make, asked for when it is mounted; throws when the call has none. It counts by
   * user, and by address where nobody is signed in.
   */
  limitOf?: (endpoint: Endpoint) => Limit;
}

/**
 * The one place where a service decides who may call what. Each endpoint is mounted with one of three kinds of access;
 * its params, query and body are parsed before the handler sees them.
 */
export function createRoutes<Session>({
  router,
  logger,
  internalSecret,
  tokenOf,
  findSession,
  userIdOf,
  limitOf,
}: RoutesOptions<Session>) {
  const internalCalls: string[] = [];
  // Looking up the session of a user who is over a limit would cost more than the refusal.
  const refusals = new LRUCache<string, HttpError>({ max: REFUSALS_MAX });

  function mount<E extends Endpoint>(
    endpoint: E,
    bodyMaxBytes: number,
    run: (ctx: Context, parse: () => Promise<Parsed<E>>) => Answer<E>,
  ): void {
    router.register(endpoint.path, [endpoint.method], async (ctx: Context) => {
      const parse = async (): Promise<Parsed<E>> => {
        const body = await readJson(ctx.req, bodyMaxBytes);
        const { requestId } = ctx.state;
        return {
          params: parsePart<E["params"]>(endpoint.params, ctx.params),
          query: parsePart<E["query"]>(endpoint.query, { ...ctx.query }),
          body: parsePart<E["body"]>(endpoint.body, body ?? {}),
          requestId,
          logger: logger.child({ request_id: requestId }),
          ctx,
        };
      };
      const answer = await run(ctx, parse);
      ctx.status = 200;
      if (!Array.isArray(answer) || answer.length <= STREAMED_FROM) {
        ctx.body = answer;
        return;
      }
      ctx.type = "json";
      ctx.body = Readable.from(jsonParts(answer));
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

  /** For other services, which know the shared secret. To anyone else the path does not exist. */
  function internal<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E>) => Answer<E>): void {
    internalCalls.push(callName(endpoint));
    mount(endpoint, INTERNAL_BODY_MAX_BYTES, async (ctx, parse) => {
      if (!knowsSecret(ctx.get(SECRET_HEADER), internalSecret)) throw notFound();
      return handler(await parse());
    });
  }
  internal(listInternalCalls, () => ({ calls: internalCalls }));

  return {
    /** For everyone. */
    open<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E>) => Answer<E>): void {
      const limit = limitOf?.(endpoint);
      mountPublic(endpoint, async (ctx, parse) => {
        await limit?.take(clientAddress(ctx.req));
        return handler(await parse());
      });
    },

    /** For a session. A `user_id` in the path or the body must be the session's own; without a session 401, with another's 403. */
    signedIn<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E> & { session: Session }) => Answer<E>): void {
      const limit = limitOf?.(endpoint);
      mountPublic(endpoint, async (ctx, parse) => {
        const key = `${endpoint.method} ${endpoint.path} ${tokenOf(ctx)}`;
        const earlier = refusals.get(key);
        if (earlier) throw earlier;
        const session = await findSession(ctx);
        if (session === null) {
          await limit?.take(clientAddress(ctx.req));
          throw unauthorised();
        }
        const userId = userIdOf(session);
        try {
          await limit?.take(userId);
        } catch (error) {
          if (error instanceof HttpError) refusals.set(key, error, { ttl: (error.retryAfterSeconds ?? 1) * 1_000 });
          throw error;
        }
        const call = await parse().catch((error) => {
          limit?.charge?.(userId, INVALID_POINTS - 1);
          throw error;
        });
        for (const part of [call.params, call.body] as { user_id?: string }[]) {
          if (part.user_id !== undefined && part.user_id !== userId) throw forbidden();
        }
        return handler({ ...call, session });
      });
    },

    internal,
  };
}

/** Serialises a list as JSON, some items at a time. Others are served in between, however fast the client reads. */
async function* jsonParts(items: readonly unknown[]): AsyncGenerator<string> {
  for (let start = 0; start < items.length; start += STREAMED_FROM) {
    const part = JSON.stringify(items.slice(start, start + STREAMED_FROM)).slice(1, -1);
    yield `${start === 0 ? "[" : ","}${part}`;
    await nextTurn();
  }
  yield "]";
}

function parsePart<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".");
  const text = issue?.message ?? "Invalid input";
  throw badRequest(text === "Invalid input" && field ? `${field}: ${text}` : text);
}
