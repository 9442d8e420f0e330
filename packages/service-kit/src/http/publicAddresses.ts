import { lookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

const RESOLVE_MS = 2_000;

const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  // Teredo and 6to4 contain IPv4 addresses.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  notPublic.addSubnet(network, bits, "ipv6");
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** Returns whether an IP address is one of the internet: not internal, loopback, link-local or reserved. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !notPublic.check(address, "ipv4");
  return version === 6 && globalUnicast.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}

/** Resolves with the IPv4 and IPv6 addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>;

/** Asks the name servers. Unlike `dns.lookup`, it does not occupy a thread that bcrypt needs. */
async function resolveHost(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
}

export type PublicAddresses = ReturnType<typeof createPublicAddresses>;

export interface PublicAddressesOptions {
  /** Schemes of allowed addresses, such as `https:`. Each has its default port. */
  protocols: readonly string[];
  /** Hosts (`name` or `name:port`) of the operator, to which the rules do not apply. */
  allowedHosts: readonly string[];
  resolve?: Resolve | undefined;
}

/**
 * Creates the guard of requests to addresses that users choose. Every address of a host must be public, both when
 * {@link isAllowed} is asked and when a connection opens, because the name server may change its response. A connection
 * to an IP address resolves no name, so ask before each request.
 */
export function createPublicAddresses({ protocols, allowedHosts, resolve = resolveHost }: PublicAddressesOptions) {
  const isListed = ({ host, hostname }: URL) => allowedHosts.includes(host) || allowedHosts.includes(hostname);
  const listedNames = new Set(allowedHosts.map((host) => new URL(`https://${host}`).hostname));

  async function publicAddressesOf(host: string): Promise<string[]> {
    const addresses = isIP(host) ? [host] : await resolve(host);
    return addresses.every(isPublicAddress) ? addresses : [];
  }

  const mayUse = (url: URL) =>
    isListed(url) ||
    (protocols.includes(url.protocol) && url.port === "" && url.username === "" && url.password === "");

  return {
    /** Returns whether requests may be sent to this address. */
    async isAllowed(address: string): Promise<boolean> {
      const url = new URL(address);
      if (!mayUse(url)) return false;
      return isListed(url) || (await publicAddressesOf(url.hostname.replace(/^\[|\]$/g, ""))).length > 0;
    },

    /** Resolves the host name of a connection, for the option `lookup`. Fails if one of the addresses is not public. */
    lookUp: ((host, options, callback) => {
      if (listedNames.has(host)) return lookup(host, options, callback);
      const fail = () => callback(new Error(`${host} has no public address`), "");
      void publicAddressesOf(host).then(([address]) => {
        if (!address) fail();
        else if (options.all) callback(null, [{ address, family: isIP(address) }]);
        else callback(null, address, isIP(address));
      }, fail);
    }) satisfies LookupFunction as LookupFunction,
  };
}
