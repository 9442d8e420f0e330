import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type Router from "@koa/router";
import type { Endpoint } from "@messageoh/contracts/endpoint";
import type { Session } from "@messageoh/contracts/internal/users";
import { BODY_MAX_BYTES } from "@messageoh/contracts/limits";
import { safeParse } from "@messageoh/contracts/parse";
import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import type * as v from "valibot";
import { atMost } from "../caching/atMost.ts";
import type { Logger } from "../telemetry/logger.ts";
import { bodyMaxBytes } from "./bodyLimit.ts";
import { clientAddress } from "./clientAddress.ts";
import { readSessionToken } from "./cookies.ts";
import { badRequest, forbidden, HttpError, notFound, unauthorised } from "./errors.ts";
import { isForeign } from "./foreignOrigin.ts";
import { INTERNAL_BODY_MAX_BYTES, knowsSecret, SECRET_HEADER } from "./internal.ts";
import { callName, listInternalCalls } from "./peers.ts";
import { readJson } from "./readJson.ts";

/**
 * Points of an invalid or refused call in the rate limit, which costs as much as any other. The front ends cause few.
 */
const REFUSED_POINTS = 10;
const REFUSED_STATUSES = [400, 403, 404];
/** Cached refusals, at most about 500 bytes each: 5 MB. */
const REFUSALS_MAX = 10_000;
/** Time after which a cached refusal would name a wrong time to wait, or outlive its session, in milliseconds. */
const REFUSAL_MS = 1_000;
/** Items of one part of a response. Longer lists are serialised in parts, so that they do not block the event loop. */
const PART_ITEMS = 100;

/** A request, parsed with the endpoint's schemas. */
interface Parsed<E extends Endpoint> {
  params: v.InferOutput<E["params"]>;
  query: v.InferOutput<E["query"]>;
  body: v.InferOutput<E["body"]>;
  requestId: string;
  logger: Logger;
  /** Returns whether the client has closed the request, so that nobody waits for the response. */
  isGone: () => boolean;
  ctx: Context;
}
type Result<E extends Endpoint> = v.InferInput<E["response"]> | JsonStream;
type ResponseOf<E extends Endpoint> = Promise<Result<E>> | Result<E>;

/**
 * A response that is too large for memory: its JSON text in parts, each created after the client has read the previous
 * ones.
 */
export class JsonStream {
  readonly parts: AsyncIterable<string>;

  constructor(parts: AsyncIterable<string>) {
    this.parts = parts;
  }
}

/** A request of a user who is signed in. */
interface SignedIn {
  session: Session;
  /** Resolves while the session lasts, and rejects with 401 afterwards. For responses that take minutes. */
  requireSession: () => Promise<void>;
}

interface Limit {
  /** Counts one call of a key. Throws or rejects with 429 above the limit. */
  take: (key: string) => Promise<void> | void;
  /** Counts points of a key without refusing. */
  charge?: (key: string, points: number) => void;
}

export interface RoutesOptions {
  router: Router;
  logger: Logger;
  internalSecret: string;
  /** Resolves with the session of a token, or `null` if there is none. Rejects if it cannot be looked up. */
  findSession: (token: string | undefined) => Promise<Session | null>;
  /**
   * Returns the rate limit of an endpoint that browsers call, or throws if it has none. Called when the endpoint is
   * mounted. The limit counts by user, and by client address for calls without a session.
   */
  limitOf: (endpoint: Endpoint) => Limit;
}

export type Routes = ReturnType<typeof createRoutes>;

/**
 * Creates the functions that mount the endpoints of a service, one for each kind of access: `open`, `signedIn`,
 * `signedInRaw` and `internal`. Params, query and body are parsed before a handler gets them; an invalid call gets 400.
 */
export function createRoutes({ router, logger, internalSecret, findSession, limitOf }: RoutesOptions) {
  const internalCalls: string[] = [];
  // A repeated refusal needs no session lookup, which costs more than the refusal.
  const refusals = new LRUCache<string, HttpError>({ ...atMost(REFUSALS_MAX), ttl: REFUSAL_MS });

  function mount<E extends Endpoint>(
    endpoint: E,
    outerMaxBytes: number,
    run: (ctx: Context, parse: () => Promise<Parsed<E>>) => ResponseOf<E>,
  ): void {
    const maxBytes = Math.min(outerMaxBytes, bodyMaxBytes(endpoint.body));
    router.register(endpoint.path, [endpoint.method], async (ctx: Context) => {
      const parse = async (): Promise<Parsed<E>> => {
        const body = await readJson(ctx.req, maxBytes);
        const { requestId } = ctx.state;
        return {
          params: parsePart<E["params"]>(endpoint.params, ctx.params),
          query: parsePart<E["query"]>(endpoint.query, { ...ctx.query }),
          body: parsePart<E["body"]>(endpoint.body, body ?? {}),
          requestId,
          // Created only for the handlers that log: most internal calls do not.
          get logger() {
            return logger.child({ request_id: requestId });
          },
          isGone: () => ctx.req.socket.destroyed,
          ctx,
        };
      };
      const response = await run(ctx, parse);
      ctx.status = 200;
      if (response instanceof JsonStream) {
        ctx.type = "json";
        // nginx must not read ahead of the client.
        ctx.set("x-accel-buffering", "no");
        ctx.body = Readable.from(response.parts);
        return;
      }
      if (!Array.isArray(response) || response.length <= PART_ITEMS) {
        ctx.body = response;
        return;
      }
      ctx.type = "json";
      ctx.body = Readable.from(jsonParts(response));
    });
  }

  /** Mounts an endpoint that browsers call. Only pages of this origin may change data. */
  function mountPublic<E extends Endpoint>(
    endpoint: E,
    run: (ctx: Context, parse: () => Promise<Parsed<E>>) => ResponseOf<E>,
  ): void {
    mount(endpoint, BODY_MAX_BYTES, (ctx, parse) => {
      if (endpoint.method !== "GET" && isForeign(ctx.headers)) throw foreign();
      return run(ctx, parse);
    });
  }

  /** Mounts an endpoint for other services, which know the shared secret. All other callers get 404. */
  function internal<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E>) => ResponseOf<E>): void {
    internalCalls.push(callName(endpoint));
    mount(endpoint, INTERNAL_BODY_MAX_BYTES, async (ctx, parse) => {
      if (!knowsSecret(ctx.get(SECRET_HEADER), internalSecret)) throw notFound();
      return handler(await parse());
    });
  }
  internal(listInternalCalls, () => ({ calls: internalCalls }));

  /** Resolves with the session of a call. Rejects with 401 without one, and with 429 above the limit. */
  async function admit(ctx: Context, name: string, limit: Limit): Promise<Session> {
    const token = readSessionToken(ctx.headers);
    const key = `${name} ${token}`;
    const earlier = refusals.get(key);
    if (earlier) throw earlier;
    const session = await findSession(token);
    if (session === null) {
      await limit.take(clientAddress(ctx.req));
      throw unauthorised();
    }
    try {
      await limit.take(session.user.id);
    } catch (error) {
      if (error instanceof HttpError) refusals.set(key, error);
      throw error;
    }
    return session;
  }

  return {
    /** Mounts an endpoint for everyone. The rate limit counts by client address. */
    open<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E>) => ResponseOf<E>): void {
      const limit = limitOf(endpoint);
      mountPublic(endpoint, async (ctx, parse) => {
        await limit.take(clientAddress(ctx.req));
        return handler(await parse());
      });
    },

    /**
     * Mounts an endpoint for users who are signed in. Calls without a session get 401. A `user_id` in the path or the
     * body must be the session's own, otherwise the call gets 403.
     */
    signedIn<E extends Endpoint>(endpoint: E, handler: (call: Parsed<E> & SignedIn) => ResponseOf<E>): void {
      const limit = limitOf(endpoint);
      mountPublic(endpoint, async (ctx, parse) => {
        const session = await admit(ctx, callName(endpoint), limit);
        const userId = session.user.id;
        try {
          const call = await parse();
          for (const part of [call.params, call.body] as { user_id?: string }[]) {
            if (part.user_id !== undefined && part.user_id !== userId) throw forbidden();
          }
          const requireSession = async () => {
            if ((await findSession(readSessionToken(ctx.headers))) === null) throw unauthorised();
          };
          return await handler({ ...call, session, requireSession });
        } catch (error) {
          const isRefused = error instanceof HttpError && REFUSED_STATUSES.includes(error.status);
          if (isRefused) limit.charge?.(userId, REFUSED_POINTS - 1);
          throw error;
        }
      });
    },

    /**
     * Mounts a path of another protocol for users who are signed in. The handler reads the request and writes the
     * response itself. Only pages of this origin may call it.
     * @param limit rate limit per user
     */
    signedInRaw(
      methods: string[],
      path: string,
      limit: Limit,
      handler: (call: { ctx: Context; session: Session }) => Promise<void>,
    ): void {
      router.register(path, methods, async (ctx: Context) => {
        if (isForeign(ctx.headers)) throw foreign();
        return handler({ ctx, session: await admit(ctx, `${ctx.method} ${path}`, limit) });
      });
    },

    internal,
  };
}

const foreign = () => forbidden("Requests from other sites are not allowed");

/** Serialises a list as JSON in parts. Other requests are served between the parts, however fast the client reads. */
async function* jsonParts(items: readonly unknown[]): AsyncGenerator<string> {
  for (let start = 0; start < items.length; start += PART_ITEMS) {
    const part = JSON.stringify(items.slice(start, start + PART_ITEMS)).slice(1, -1);
    yield `${start === 0 ? "[" : ","}${part}`;
    await nextTurn();
  }
  yield "]";
}

function parsePart<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const { error, data } = safeParse(schema, value);
  if (error) throw badRequest(error.text);
  return data;
}
