import type { IncomingMessage, ServerResponse } from "node:http";
import { TOO_MANY_CONNECTIONS } from "@messageoh/contracts/errorTexts";
import { clientAddress } from "@messageoh/service-kit/clientAddress";
import { limited } from "@messageoh/service-kit/rateLimit";
import type { RealtimeServer } from "./types.ts";

const RETRY_AFTER_SECONDS = 10;

/** Bounds the connections that one address holds here, before anything is known of who is behind them. */
export function limitConnectionsPerAddress({ engine }: Pick<RealtimeServer, "engine">, max: number): void {
  const connections = new Map<string, number>();

  engine.use((request: IncomingMessage & { _query: { sid?: string } }, response: ServerResponse, next: () => void) => {
    const isNew = request._query.sid === undefined;
    if (!isNew || (connections.get(clientAddress(request)) ?? 0) < max) return next();
    limited.inc({ limit: "connections_per_address" });
    response.writeHead(429, { "content-type": "application/json", "retry-after": String(RETRY_AFTER_SECONDS) });
    // To a websocket the library answers by closing it.
    response.end(JSON.stringify({ error: TOO_MANY_CONNECTIONS }));
  });

  engine.on(
    "connection",
    (connection: { request: IncomingMessage; once: (name: "close", end: () => void) => void }) => {
      const address = clientAddress(connection.request);
      connections.set(address, (connections.get(address) ?? 0) + 1);
      connection.once("close", () => {
        const left = (connections.get(address) ?? 1) - 1;
        if (left > 0) connections.set(address, left);
        else connections.delete(address);
      });
    },
  );
}
