import { createFixedWindows } from "@messageoh/service-kit/fixedWindows";
import { limited, type Rate } from "@messageoh/service-kit/rateLimit";
import type { RealtimeSocket } from "../types.ts";
import { type Connection, type WebSocket, webSocketOf } from "./webSocket.ts";

/** Points of an invalid event. The product's client sends none, so a client that does is slowed down early. */
const INVALID_POINTS = 30;
/** Points of a refused event. A client that sends thousands of them occupies the instance and the gateway. */
const REFUSED_POINTS = 10;
/** A packet has a point for each of these many characters, and at least one. Most messages have fewer. */
const CHARACTERS_PER_POINT = 200;
/** Probes with which a polling connection may try to become a WebSocket. They arrive outside of its packets. */
const PROBES_MAX = 20;

export type EventThrottle = ReturnType<typeof createEventThrottle>;

/**
 * Slows down users who send too fast. This instance stops reading all their WebSockets until their rate allows it, so
 * their events wait in the client and none is lost. A polling client cannot be slowed down and is disconnected.
 */
export function createEventThrottle(rate: Rate) {
  const windows = createFixedWindows(rate);
  const connectionsOf = new Map<string, Set<Connection>>();
  /** Paused users with the time of the monotonic clock in milliseconds at which they are read again. */
  const paused = new Map<string, number>();
  let isClosed = false;

  function forEachWebSocket(userId: string, act: (webSocket: WebSocket) => void): void {
    for (const connection of connectionsOf.get(userId) ?? []) {
      const webSocket = webSocketOf(connection);
      if (webSocket) act(webSocket);
    }
  }

  function pause(userId: string, ms: number): void {
    forEachWebSocket(userId, (webSocket) => webSocket.pause());
    const isPaused = paused.has(userId);
    paused.set(userId, performance.now() + ms);
    if (isPaused) return;
    limited.inc({ limit: "events" });
    setTimeout(resume, ms, userId).unref();
  }

  function resume(userId: string): void {
    const msLeft = (paused.get(userId) ?? 0) - performance.now();
    if (msLeft > 0 && !isClosed) return void setTimeout(resume, msLeft, userId).unref();
    paused.delete(userId);
    forEachWebSocket(userId, (webSocket) => webSocket.resume());
  }

  function spend(connection: Connection, userId: string, points: number): void {
    const { excess, msLeft } = windows.spend(userId, points);
    if (excess === 0 || isClosed) return;
    if (!webSocketOf(connection)) {
      limited.inc({ limit: "events" });
      connection.close();
      return;
    }
    // Packets received before the pause are still handled. The pause is extended by the time that takes.
    pause(userId, msLeft + Math.floor(excess / rate.count) * rate.seconds * 1_000);
  }

  return {
    /** Counts every packet of a user's connection, whatever its content, before it is parsed. */
    watch(connection: Connection, userId: string): void {
      const own = connectionsOf.get(userId) ?? new Set();
      connectionsOf.set(userId, own.add(connection));
      connection.once("close", () => {
        if (own.delete(connection) && own.size === 0) connectionsOf.delete(userId);
      });
      let probes = 0;
      connection.on("upgrading", (transport: { close: () => void }) => {
        probes += 1;
        if (probes > PROBES_MAX) transport.close();
      });
      connection.on("packet", ({ data }: { data?: string | Buffer }) =>
        spend(connection, userId, Math.max(1, Math.floor((data?.length ?? 0) / CHARACTERS_PER_POINT))),
      );
    },

    /** Adds the extra points of an invalid event. */
    chargeInvalid: ({ conn, data }: RealtimeSocket): void => spend(conn, data.user.id, INVALID_POINTS - 1),

    /** Adds the extra points of a refused event. */
    chargeRefused: ({ conn, data }: RealtimeSocket): void => spend(conn, data.user.id, REFUSED_POINTS - 1),

    /** Reads from all WebSockets again: a paused one would not read the client's response to a close. */
    close(): void {
      isClosed = true;
      for (const userId of [...paused.keys()]) resume(userId);
    },
  };
}
