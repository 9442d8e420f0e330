import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";

/**
 * The address that limits are counted by. Only the gateway's own word counts: it is the last hop of X-Forwarded-For, what
 * stands before it may be the client's invention. One IPv6 customer has a whole /64, so that is one address.
 */
export function clientAddress({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string {
  const hops = String(headers["x-forwarded-for"] ?? "").split(",");
  return network(hops.at(-1)?.trim() || socket.remoteAddress || "unknown");
}

function network(address: string): string {
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (isIPv4(mapped) || !mapped.includes(":")) return mapped;
  const [head = "", tail] = mapped.split("::");
  const groups = head.split(":");
  if (tail !== undefined) {
    const after = tail.split(":");
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group || "0")
    .join(":")}::/64`;
}
