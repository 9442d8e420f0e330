import type { IncomingMessage } from "node:http";
import { clientAddress } from "./clientAddress.ts";

const from = (forwarded: string | undefined, remoteAddress = "10.0.0.9") =>
  clientAddress({ headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress } } as unknown as IncomingMessage);

it.each([
  ["the gateway's word", "203.0.113.7", "203.0.113.7"],
  ["the last hop, whatever stands before it", "1.2.3.4, 203.0.113.7", "203.0.113.7"],
  ["the peer where nobody says anything", undefined, "10.0.0.9"],
  ["IPv4 written as IPv6", "::ffff:203.0.113.7", "203.0.113.7"],
  ["a whole /64 as one", "2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
  ["a /64 with zeros left out", "2001:db8::17", "2001:db8:0:0::/64"],
  ["the /64 of an address that leaves zeros out before it", "2001::1:2:3:4:5", "2001:0:0:1::/64"],
  ["a /64 with one zero left out", "2001:db8::2:3:4:5:6", "2001:db8:0:2::/64"],
  ["IPv4 as IPv6, in capitals", "::FFFF:203.0.113.7", "203.0.113.7"],
  ["the loopback address", "::1", "0:0:0:0::/64"],
])("counts by %s", (_, forwarded, expected) => {
  expect(from(forwarded)).toBe(expected);
});
