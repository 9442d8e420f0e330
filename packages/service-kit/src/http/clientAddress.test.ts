import { clientAddress } from "./clientAddress.ts";

const from = (forwarded: string | undefined, remoteAddress = "10.0.0.9") =>
  clientAddress({ headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress } });

it.each([
  ["the address that the gateway reports", "203.0.113.7", "203.0.113.7"],
  ["the last hop, whatever precedes it", "1.2.3.4, 203.0.113.7", "203.0.113.7"],
  ["the peer without the header", undefined, "10.0.0.9"],
  ["IPv4 written as IPv6", "::ffff:203.0.113.7", "203.0.113.7"],
  ["a whole /64 as one", "2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
  ["a compressed /64", "2001:db8::17", "2001:db8:0:0::/64"],
  ["the /64 of an address that is compressed before it", "2001::1:2:3:4:5", "2001:0:0:1::/64"],
  ["a /64 with one compressed group", "2001:db8::2:3:4:5:6", "2001:db8:0:2::/64"],
  ["IPv4 as IPv6, in upper case", "::FFFF:203.0.113.7", "203.0.113.7"],
  ["the loopback address", "::1", "0:0:0:0::/64"],
])("returns %s", (_, forwarded, expected) => {
  expect(from(forwarded)).toBe(expected);
});
