import { LRUCache } from "lru-cache";

/** Sessions, at most about 1 kB each: 50 MB. */
const MAX = 50_000;

export interface SessionCacheOptions<Session> {
  /** Asks the owner of sessions; null when there is none. Rejects when it cannot know. */
  lookUp: (token: string) => Promise<Session | null>;
  sessionIdOf: (session: Session) => string;
  /** How long an answer may be trusted without asking again, in milliseconds. */
  trustMs: number;
}

/** Remembers sessions for a short while, so that not every call asks their owner. Absent sessions are not remembered. */
export function createSessionCache<Session extends object>({
  lookUp,
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
  // An answer may have been on its way when the session ended: nobody would tell of that end again.
  const ended = new LRUCache<string, true>({ max: MAX, ttl: trustMs });
  return {
    /** The session behind a cookie's token; null when there is none. */
    async find(token: string | undefined): Promise<Session | null> {
      if (!token || token.length > 200) return null;
      const known = cache.get(token);
      if (known) return known;
      const session = await lookUp(token);
      if (!session || ended.has(sessionIdOf(session))) return null;
      cache.set(token, session);
      tokens.set(sessionIdOf(session), token);
      return session;
    },
    /** Forgets a session that was ended. */
    forget(sessionId: string): void {
      ended.set(sessionId, true);
      const token = tokens.get(sessionId);
      if (token !== undefined) cache.delete(token);
    },
    clear: () => cache.clear(),
  };
}

/** Reads a cookie from a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
