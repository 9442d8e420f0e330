import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";

/** The parts of an `IncomingMessage` that contain the client's address. */
interface AddressedRequest {
  headers: IncomingMessage["headers"];
  socket: Pick<IncomingMessage["socket"], "remoteAddress">;
}

/**
 * Returns the address by which rate limits count a client: the last hop of X-Forwarded-For, which the gateway wrote. A
 * client can invent earlier hops. Without the header, it is the address of the connection. An IPv6 address is shortened
 * to its /64, because providers assign a whole /64 to one customer (RFC 6177).
 */
export function clientAddress({ headers, socket }: AddressedRequest): string {
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
