import type { Session } from "@messageoh/contracts/users";
import type { Logger } from "@messageoh/service-kit/logger";
import type { RealtimeServer } from "../types.ts";
import { tokenOf } from "./authenticate.ts";

const CHECK_EVERY_MS = 5 * 60_000;
const RETRY_MS = 2_000;

export interface SessionCheckOptions {
  io: RealtimeServer;
  findSession: (token: string | undefined) => Promise<Session | null>;
  endSession: (sessionId: string) => void;
  logger: Logger;
}

/**
 * An event ends the sockets of a session that was revoked. This ends those that no event told of: it expired, or the event
 * was lost while Redis was away. One session after another, so that the owner of sessions is never flooded.
 */
export function createSessionCheck({ io, findSession, endSession, logger }: SessionCheckOptions) {
  let timer: NodeJS.Timeout | undefined;
  let round = 0;

  async function check(): Promise<void> {
    round += 1;
    const own = round;
    const tokens = new Map<string, string | undefined>();
    for (const { data, handshake } of io.sockets.sockets.values())
      tokens.set(data.sessionId, tokenOf(handshake.headers));
    try {
      for (const [sessionId, token] of tokens) {
        if ((await findSession(token)) === null) endSession(sessionId);
        if (own !== round) return;
      }
      schedule(CHECK_EVERY_MS);
    } catch (err) {
      // Nobody knows: no verdict.
      logger.debug({ err }, "sessions not checked, trying again");
      if (own === round) schedule(RETRY_MS);
    }
  }

  function schedule(waitMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(check, waitMs).unref();
  }
  schedule(CHECK_EVERY_MS);

  return {
    soon: () => void check(),
    close(): void {
      round += 1;
      clearTimeout(timer);
    },
  };
}
