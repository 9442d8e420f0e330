import type { Session } from "@messageoh/contracts/internal/users";
import { readSessionToken } from "@messageoh/service-kit/cookies";
import type { Logger } from "@messageoh/service-kit/logger";
import type { RealtimeServer } from "../types.ts";

const CHECK_INTERVAL_MS = 5 * 60_000;
const RETRY_MS = 2_000;

export interface SessionCheckOptions {
  io: RealtimeServer;
  findSession: (token: string | undefined) => Promise<Session | null>;
  endSession: (sessionId: string, userId: string) => void;
  logger: Logger;
}

/**
 * Checks the sessions of all connected sockets every five minutes and ends those that are over. It covers sessions that
 * no event announces: expired ones, and revoked ones whose event was lost. It checks one session at a time to limit the
 * load on svc-users.
 */
export function createSessionCheck({ io, findSession, endSession, logger }: SessionCheckOptions) {
  let timer: NodeJS.Timeout | undefined;
  let latestRun = 0;

  async function check(): Promise<void> {
    latestRun += 1;
    const run = latestRun;
    const sessions = new Map<string, { userId: string; token: string | undefined }>();
    for (const { data, handshake } of io.sockets.sockets.values())
      sessions.set(data.sessionId, { userId: data.user.id, token: readSessionToken(handshake.headers) });
    try {
      for (const [sessionId, { userId, token }] of sessions) {
        if ((await findSession(token)) === null) endSession(sessionId, userId);
        if (run !== latestRun) return;
      }
      schedule(CHECK_INTERVAL_MS);
    } catch (err) {
      // A failed request does not mean that the session ended, so its sockets stay open.
      logger.debug({ err, retry_in_ms: RETRY_MS }, "session check failed");
      if (run === latestRun) schedule(RETRY_MS);
    }
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(check, delayMs).unref();
  }
  schedule(CHECK_INTERVAL_MS);

  return {
    /** Starts a check now; a running one stops. */
    checkNow: () => void check(),
    close(): void {
      latestRun += 1;
      clearTimeout(timer);
    },
  };
}
