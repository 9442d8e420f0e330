import type { Call } from "@messageoh/contracts/client";
import { LOOKUP_MAX_TOKENS, lookUpSessions, type Session } from "@messageoh/contracts/internal/users";
import { LRUCache } from "lru-cache";
import { combineCalls } from "../batching/combineCalls.ts";
import { RunningCalls } from "../batching/runningCalls.ts";
import { atMost } from "../caching/atMost.ts";
import { callFailed } from "../http/errors.ts";

/** Sessions, at most about 1 kB each: 50 MB. */
const MAX = 50_000;
/**
 * Longest time after the start of a lookup in which other callers join it, in milliseconds. A session that ends
 * meanwhile may still be found, so this bounds the delay of its end.
 */
export const JOIN_LOOKUP_MS = 500;
/** Most tokens of one lookup, most lookups at the same time, and most tokens waiting for one. */
const LOOKUPS = { itemsMax: LOOKUP_MAX_TOKENS, running: 2, waitingMax: 20_000 };
/** Time after which a session is looked up again, in milliseconds. */
const TRUST_MS = 30_000;

export type SessionCache = ReturnType<typeof createSessionCache>;

/**
 * Creates a cache of sessions, which svc-users owns. It does not cache that a session is absent. Simultaneous lookups
 * share calls, so that many connections at once cost few calls.
 */
export function createSessionCache(callUsers: Call) {
  const lookUp = async (tokens: string[]): Promise<(Session | null)[]> =>
    (await callUsers(lookUpSessions, { body: { tokens } }).catch(callFailed)).sessions;
  const tokens = new Map<string, string>();
  const cache = new LRUCache<string, Session>({
    ...atMost(MAX),
    ttl: TRUST_MS,
    dispose: ({ session_id }, token) => {
      if (tokens.get(session_id) === token) tokens.delete(session_id);
    },
  });
  // A lookup that started before a session ended may still return it, and its end is not announced again.
  const ended = new LRUCache<string, true>({ ...atMost(MAX), ttl: TRUST_MS });
  const lookUpOne = combineCalls(lookUp, LOOKUPS);
  const lookups = new RunningCalls<Session | null>();
  return {
    /** Resolves with the session of a token, or `null` if there is none. Rejects with 503 if svc-users fails. */
    async find(token: string | undefined): Promise<Session | null> {
      if (!token || token.length > 200) return null;
      const known = cache.get(token);
      if (known) return known;
      const session = await lookups.join(token, () => lookUpOne(token), JOIN_LOOKUP_MS);
      if (!session || ended.has(session.session_id)) return null;
      cache.set(token, session);
      tokens.set(session.session_id, token);
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
