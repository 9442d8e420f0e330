import type { Call } from "@messageoh/contracts/client";
import type { Logger } from "@messageoh/service-kit/logger";
import { createSessionCache } from "@messageoh/service-kit/sessionCache";
import { socketsOf } from "../rooms.ts";
import type { RealtimeServer } from "../types.ts";
import { createSessionCheck } from "./sessionCheck.ts";

export interface SessionsOptions {
  io: RealtimeServer;
  callUsers: Call;
  logger: Logger;
}

/** Finds sessions, and closes the sockets of a session that ends: when `end` is called, and by periodic checks. */
export function createSessions({ io, callUsers, logger }: SessionsOptions) {
  const cache = createSessionCache(callUsers);

  function end(sessionId: string, userId: string): void {
    cache.forget(sessionId);
    for (const socket of socketsOf(io, userId)) {
      if (socket.data.sessionId !== sessionId) continue;
      socket.emit("session_ended", {});
      socket.disconnect(true);
    }
  }

  const check = createSessionCheck({ io, findSession: cache.find, endSession: end, logger });

  return {
    /** Returns the session for a token, or `null`. Rejects if svc-users cannot be reached. */
    find: cache.find,
    /** Closes the sockets of an ended session on this instance. */
    end,
    /** Drops all cached sessions and checks those of the connected sockets, because events may have been lost. */
    recheck(): void {
      cache.clear();
      check.checkNow();
    },
    close: check.close,
  };
}
