import type { IncomingMessage } from "node:http";
import { isForeign } from "@messageoh/service-kit/foreignOrigin";

/**
 * Whether a handshake, by polling or by websocket, may go on to show its session. Browsers let any page open a socket
 * anywhere, with the user's cookies, so it is asked whose page this is. Later requests name their connection by an id
 * that only its own client was told. Polling by script tags (JSONP) exists for other origins only.
 */
export function mayConnect({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): boolean {
  return !isForeign(headers) && !new URLSearchParams(url.split("?")[1]).has("j");
}
