import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { TOO_MANY_TABS } from "@messageoh/contracts/errorTexts";
import type { Session } from "@messageoh/contracts/internal/users";
import { readSessionToken } from "@messageoh/service-kit/cookies";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { limited } from "@messageoh/service-kit/rateLimit";
import { withRequestId } from "@messageoh/service-kit/requestContext";
import type { UserChannels } from "../delivery/userChannels.ts";
import { userRoom } from "../rooms.ts";
import type { RealtimeSocket, Seen } from "../types.ts";

export const refusedConnections = new Counter({
  name: "messageoh_realtime_refused_connections_total",
  help: "Refused handshakes, by reason",
  labelNames: ["reason"],
});
// The series exists from the start, so that the first refusal is an increase for an alert.
refusedConnections.inc({ reason: "dependency_failed" }, 0);

export interface AuthenticateDeps {
  findSession: (token: string | undefined) => Promise<Session | null>;
  userChannels: UserChannels;
  /** Resolves with what a socket of the user has seen that connects now. */
  seenBy: (userId: string) => Promise<Seen>;
  /** Largest number of connections per user on this instance. */
  connectionsMax: number;
  logger: Logger;
}

/** Returns the request id that the gateway gave a handshake, or a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => String(headers["x-request-id"] ?? randomUUID());

/**
 * Creates the Socket.IO middleware that authenticates a socket. It joins the rooms and subscribes to the user's channel
 * before the client learns that it is connected, so that the client misses no event after its first request.
 */
export function authenticate({ findSession, userChannels, seenBy, connectionsMax, logger }: AuthenticateDeps) {
  return async (socket: RealtimeSocket, next: (error?: Error) => void): Promise<void> => {
    const { headers } = socket.handshake;
    const requestId = requestIdOf(headers);
    try {
      const session = await withRequestId(requestId, () => findSession(readSessionToken(headers)));
      if (!session) {
        refusedConnections.inc({ reason: "unauthorised" });
        return next(new Error("unauthorised"));
      }
      const { user } = session;
      if (userChannels.countOf(user.id) >= connectionsMax) {
        limited.inc({ limit: "connections_per_user" });
        return next(new Error(TOO_MANY_TABS));
      }
      // Never the token, because other instances can read `socket.data`.
      Object.assign(socket.data, {
        user,
        sessionId: session.session_id,
        requestId,
        announcedFriends: new Set<string>(),
        friends: new Map<string, string>(),
      });
      // The connection closed during the lookup. Its close event has passed, so nothing would release the channel
      // below. Without `next`, Socket.IO would keep the socket.
      if (socket.conn.readyState !== "open") return next();
      // Bound to the connection, not the socket: a socket that never connects emits no disconnect.
      socket.conn.once("close", () => userChannels.release(user.id));
      await userChannels.acquire(user.id);
      socket.data.seen = await seenBy(user.id);
      await socket.join(userRoom(user.id));
      // Ending a session closes its sockets in the user's room. This check catches a session that ended before the
      // join.
      next((await findSession(readSessionToken(headers))) ? undefined : new Error("unauthorised"));
    } catch (err) {
      // The session may be valid, so the client must not sign out. It sees a lost connection and reconnects.
      refusedConnections.inc({ reason: "dependency_failed" });
      logger.warn({ err, request_id: requestId }, "connection refused because a dependency failed");
      socket.conn.close();
      // Removes the socket. The client learns nothing, because its connection is closed.
      next(new Error("unavailable"));
    }
  };
}
