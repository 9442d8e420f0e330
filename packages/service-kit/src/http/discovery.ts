import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/**
 * Returns the base URLs of the svc-messages instances that run now, sorted. Each entry of the setting is one of:
 * - `http://host:port`: every address that DNS returns for the host is an instance (Compose, a headless Kubernetes
 *   service)
 * - `file:///.../processes.json`: the svc-messages processes that `npm start` lists there
 *
 * An entry that cannot be resolved adds no URL.
 */
export async function discover(entries: readonly string[]): Promise<string[]> {
  const found = await Promise.all(entries.map((entry) => resolve(new URL(entry)).catch(() => [])));
  return [...new Set(found.flat())].sort();
}

async function resolve(url: URL): Promise<string[]> {
  if (url.protocol === "file:") return fromProcesses(await readFile(url, "utf8"));
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host)) return [url.origin];
  const addresses = await lookup(host, { all: true });
  // An instance with an IPv4 and an IPv6 address must not count twice, so one family is used.
  const family = addresses.some((address) => address.family === 4) ? 4 : 6;
  return addresses
    .filter((address) => address.family === family)
    .map(({ address }) => `${url.protocol}//${family === 6 ? `[${address}]` : address}:${url.port || 80}`);
}

function fromProcesses(text: string): string[] {
  const processes = JSON.parse(text) as { name: string; port: number }[];
  return processes
    .filter(({ name }) => /^svc-messages(-\d+)?$/.test(name))
    .map(({ port }) => `http://127.0.0.1:${port}`);
}
