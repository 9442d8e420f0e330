import type { IncomingMessage } from "node:http";
import { isForeign } from "@messageoh/service-kit/foreignOrigin";

/**
 * Returns whether the origin of a handshake is allowed, for polling and WebSocket. Browsers let any page open a socket with
 * the user's cookies, so handshakes from other sites are refused. JSONP polling is refused because only other origins
 * need it. Later requests carry a connection id that only the client knows.
 */
export function mayConnect({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): boolean {
  return !isForeign(headers) && !new URLSearchParams(url.split("?")[1]).has("j");
}
