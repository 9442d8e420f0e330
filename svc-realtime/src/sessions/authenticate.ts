import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { TOO_MANY_TABS } from "@messageoh/contracts/errorTexts";
import { type Session, sessionCookieName } from "@messageoh/contracts/users";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { limited } from "@messageoh/service-kit/rateLimit";
import { withRequestId } from "@messageoh/service-kit/requestContext";
import { readCookie } from "@messageoh/service-kit/sessionCache";
import type { UserChannels } from "../delivery/userChannels.ts";
import { sessionRoom, userRoom } from "../rooms.ts";
import type { RealtimeSocket } from "../types.ts";

export const refused = new Counter({
  name: "messageoh_realtime_refused_connections_total",
  help: "Handshakes that did not become a connection",
  labelNames: ["reason"],
});

export interface AuthenticateDeps {
  findSession: (token: string | undefined) => Promise<Session | null>;
  userChannels: UserChannels;
  /** Connections that one user may hold on this instance. */
  connectionsMax: number;
  logger: Logger;
}

/** The token in a handshake's cookie. It stays there: what `socket.data` holds, other instances may see. */
export const tokenOf = (headers: IncomingHttpHeaders): string | undefined =>
  readCookie(headers.cookie, sessionCookieName(headers["x-forwarded-proto"]));

/** The gateway's id of a handshake's request, or a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => String(headers["x-request-id"] ?? randomUUID());

/**
 * The handshake: who is this? Rooms are joined and the user's channel is heard before the client learns that it is
 * connected, so that what it fetches from then on and what it is sent leave no gap.
 */
export function authenticate({ findSession, userChannels, connectionsMax, logger }: AuthenticateDeps) {
  return async (socket: RealtimeSocket, next: (error?: Error) => void): Promise<void> => {
    const { headers } = socket.handshake;
    const requestId = requestIdOf(headers);
    try {
      const session = await withRequestId(requestId, () => findSession(tokenOf(headers)));
      if (!session) {
        refused.inc({ reason: "unauthorised" });
        return next(new Error("unauthorised"));
      }
      const { user } = session;
      if (userChannels.countOf(user.id) >= connectionsMax) {
        limited.inc({ limit: "connections_per_user" });
        return next(new Error(TOO_MANY_TABS));
      }
      Object.assign(socket.data, {
        user,
        sessionId: session.session_id,
        requestId,
        connectedAt: Date.now(),
        announcedFriends: new Set<string>(),
      });
      // It went away meanwhile: its end was told already, and nothing would ever release what is taken below.
      if (socket.conn.readyState !== "open") return;
      // The connection always closes one day, also when the socket never gets to be connected.
      socket.conn.once("close", () => userChannels.release(user.id));
      await userChannels.acquire(user.id);
      await socket.join([userRoom(user.id), sessionRoom(session.session_id)]);
      // From here on the session's end closes this socket; here is where one that came meanwhile is noticed.
      next((await findSession(tokenOf(headers))) ? undefined : new Error("unauthorised"));
    } catch (err) {
      // Nobody knows whether the session holds: no verdict. The client sees a lost connection and tries again.
      refused.inc({ reason: "not_checked" });
      logger.warn({ err, request_id: requestId }, "session not checked");
      socket.conn.close();
    }
  };
}
