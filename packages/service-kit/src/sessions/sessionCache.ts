import { LRUCache } from "lru-cache";
import { coalesce } from "../batching/coalesce.ts";

/** Sessions, at most about 1 kB each: 50 MB. */
const MAX = 50_000;
/** Longest time after the start of a lookup in which other callers join it, in milliseconds. */
const JOIN_MS = 500;
/** Most lookups at the same time, and most tokens waiting for one. */
const LOOKUPS = { running: 2, waitingMax: 20_000 };

export interface SessionCacheOptions<Session> {
  /** Resolves with the session of each token, or `null` if there is none. Rejects if the owner of sessions fails. */
  lookUp: (tokens: string[]) => Promise<(Session | null)[]>;
  /** Largest number of tokens of one lookup. */
  tokensMax: number;
  sessionIdOf: (session: Session) => string;
  /** Time after which a session is looked up again, in milliseconds. */
  trustMs: number;
}

/**
 * Creates a cache of sessions. It does not cache that a session is absent. Simultaneous lookups share calls, so that
 * many connections at once cost few calls.
 */
export function createSessionCache<Session extends object>({
  lookUp,
  tokensMax,
  sessionIdOf,
  trustMs,
}: SessionCacheOptions<Session>) {
  const tokens = new Map<string, string>();
  const cache = new LRUCache<string, Session>({
    max: MAX,
    ttl: trustMs,
    dispose: (session, token) => {
      if (tokens.get(sessionIdOf(session)) === token) tokens.delete(sessionIdOf(session));
    },
  });
  // A lookup that started before a session ended may still return it, and its end is not announced again.
  const ended = new LRUCache<string, true>({ max: MAX, ttl: trustMs });
  const lookUpOnce = joinRunning(coalesce(lookUp, { itemsMax: tokensMax, ...LOOKUPS }));
  return {
    /** Resolves with the session of a token, or `null` if there is none. Rejects if the lookup fails. */
    async find(token: string | undefined): Promise<Session | null> {
      if (!token || token.length > 200) return null;
      const known = cache.get(token);
      if (known) return known;
      const session = await lookUpOnce(token);
      if (!session || ended.has(sessionIdOf(session))) return null;
      cache.set(token, session);
      tokens.set(sessionIdOf(session), token);
      return session;
    },
    /** Removes a session that ended. */
    forget(sessionId: string): void {
      ended.set(sessionId, true);
      const token = tokens.get(sessionId);
      if (token !== undefined) cache.delete(token);
    },
    /** Removes all sessions, for example after a gap in the events about ended ones. */
    clear: () => cache.clear(),
  };
}

/**
 * Returns a function with the same results that shares a running lookup of a token between its callers.
 * @param joinMs how long after its start a lookup is joined, in milliseconds. A session that ends meanwhile may still
 * be found, so this bounds the delay of its end.
 */
export function joinRunning<Found>(lookUp: (token: string) => Promise<Found>, joinMs = JOIN_MS) {
  const running = new Map<string, { result: Promise<Found>; startedAt: number }>();
  return (token: string): Promise<Found> => {
    const known = running.get(token);
    if (known && performance.now() - known.startedAt < joinMs) return known.result;
    const started = {
      startedAt: performance.now(),
      result: lookUp(token).finally(() => {
        if (running.get(token) === started) running.delete(token);
      }),
    };
    running.set(token, started);
    return started.result;
  };
}

/** Returns the value of a cookie in a Cookie header, or `undefined` if it is not there. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
