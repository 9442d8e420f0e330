import type { IncomingMessage } from "node:http";
import { isForeign } from "@messageoh/service-kit/foreignOrigin";

/** A request with the query as engine.io parsed it. Another parser could find other fields. */
export type EngineRequest = IncomingMessage & { _query: { sid?: string; j?: string } };

/**
 * Returns whether the origin of a handshake is allowed, for polling and WebSocket. Browsers let any page open a socket
 * with the user's cookies, so handshakes from other sites are refused. JSONP polling is refused because only other
 * origins need it. Later requests carry a connection id that only the client knows.
 */
export function mayConnect({ headers, _query }: EngineRequest): boolean {
  return !isForeign(headers) && _query.j === undefined;
}
