import { setInterval } from "node:timers";
import { createPublicAddresses } from "@messageoh/service-kit/publicAddresses";
import { until } from "@messageoh/service-kit/testing/until";
import { html, redirect, startPages } from "../../testing/pages.ts";
import { createFetchPublic, type Wanted } from "./fetchPublic.ts";

let web: Awaited<ReturnType<typeof startPages>>;
/** Addresses by host, for the tests' name server. */
const hosts: Record<string, string[]> = {};
beforeEach(async () => {
  web = await startPages();
});
afterEach(() => web.close());

const wanted = (parts: Partial<Wanted> = {}): Wanted => ({
  ...{ type: /^text\/html/, maxBytes: 1_000, signal: AbortSignal.timeout(5_000) },
  ...parts,
});
/** Loads an address. The test's server is allowed as `localhost`; everything else is as in production. */
const load = (address: string, parts?: Partial<Wanted>) =>
  createFetchPublic(
    createPublicAddresses({
      protocols: ["http:", "https:"],
      allowedHosts: [web.host],
      resolve: async (host) => hosts[host] ?? [],
    }),
  )(address, wanted(parts));

it("loads a page with its type, and sends nothing about a user", async () => {
  web.pages["/"] = html("<title>A</title>");
  const { bytes, type, url } = await load(web.url);
  expect([bytes.toString(), type, url.href]).toEqual([
    expect.stringContaining("<title>A</title>"),
    "text/html; charset=utf-8",
    `${web.url}/`,
  ]);
  expect(Object.keys(web.headers[0] ?? {}).sort()).toEqual([
    "accept-encoding",
    "accept-language",
    "connection",
    "host",
    "user-agent",
  ]);
});

describe("the guard", () => {
  beforeEach(() => {
    web.pages["/secret"] = html("<title>secret</title>");
    hosts["internal.test"] = ["127.0.0.1"];
    hosts["mixed.test"] = ["8.8.8.8", "10.0.0.1"];
    hosts["six.test"] = ["fd00::1"];
  });

  it.each([
    ["an internal address", () => `http://127.0.0.1:${web.port}/secret`],
    ["an internal address on port 80", () => "http://127.0.0.1/secret"],
    ["an internal address in another form", () => "http://2130706433/secret"],
    ["an internal address of IPv6", () => `http://[::1]/secret`],
    ["an IPv4 address in IPv6", () => `http://[::ffff:127.0.0.1]/secret`],
    ["the metadata of a cloud", () => "http://169.254.169.254/latest/meta-data/"],
    ["a name with an internal address", () => "http://internal.test/secret"],
    ["a name with one internal address", () => "http://mixed.test/secret"],
    ["a name with an internal address of IPv6", () => "https://six.test/secret"],
    ["a name without an address", () => "https://unknown.test/"],
    ["another port", () => "http://8.8.8.8:8080/"],
    ["a user name in the address", () => "http://user@8.8.8.8/"],
    ["another scheme", () => "ftp://8.8.8.8/"],
    ["a file", () => "file:///etc/passwd"],
  ])("refuses %s, at first and as a redirect", async (_, address) => {
    await expect(load(address())).rejects.toThrow("the address is not public");
    web.pages["/redirect"] = redirect(address());
    await expect(load(`${web.url}/redirect`)).rejects.toThrow("the address is not public");
    expect(web.paths).toEqual(["/redirect"]);
  });

  it("looks at the address again when the connection opens", async () => {
    let lookUps = 0;
    const addresses = createPublicAddresses({
      ...{ protocols: ["http:"], allowedHosts: [] },
      resolve: async () => [lookUps++ === 0 ? "8.8.8.8" : "127.0.0.1"],
    });
    const rebound = createFetchPublic(addresses)("http://rebinding.test/", wanted());
    await expect(rebound).rejects.toThrow("rebinding.test has no public address");
  });
});

it("follows redirects, also relative ones, and at most four", async () => {
  web.pages["/a"] = redirect("/b");
  web.pages["/b"] = redirect(`${web.url}/c`);
  web.pages["/c"] = html("<title>C</title>");
  expect((await load(`${web.url}/a`)).url.pathname).toBe("/c");
  web.paths.length = 0;
  web.pages["/endless"] = redirect("/endless");
  await expect(load(`${web.url}/endless`)).rejects.toThrow("too many redirects");
  expect(web.paths).toHaveLength(5);
  web.pages["/wrong"] = redirect("http://");
  await expect(load(`${web.url}/wrong`)).rejects.toThrow("Invalid URL");
});

it.each<[what: string, error: string, headers: Record<string, string>, status: number]>([
  ["another type", "has another type", { "content-type": "application/pdf" }, 200],
  ["no type", "has another type", {}, 200],
  ["a compressed body", "has another type", { "content-type": "text/html", "content-encoding": "gzip" }, 200],
  ["an error", "has status 500", { "content-type": "text/html" }, 500],
  ["a redirect without an address", "has status 302", { "content-type": "text/html" }, 302],
  ["another protocol", "ended without a response", { connection: "upgrade", upgrade: "other" }, 101],
  ["too long headers", "Header overflow", { "content-type": "text/html", "x-long": "a".repeat(20_000) }, 200],
])("refuses a response with %s", async (_, error, headers, status) => {
  web.pages["/"] = (response) => void response.writeHead(status, headers).end("text");
  await expect(load(web.url)).rejects.toThrow(error);
});

/** Sends a body of 100 MB as fast as it is read. */
function sendMuch(onEnd: (sentBytes: number) => void) {
  web.pages["/much"] = (response) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "100000000" });
    let sent = 0;
    const write = () => {
      while (sent < 100_000_000) {
        sent += 100_000;
        if (!response.write(Buffer.alloc(100_000, "a"))) return;
      }
    };
    response.on("drain", write).on("close", () => onEnd(sent));
    write();
  };
}

it("reads the head of a body of 100 MB, or refuses it, and closes the connection", async () => {
  const sent: number[] = [];
  sendMuch((bytes) => sent.push(bytes));
  expect((await load(`${web.url}/much`, { isHeadEnough: true })).bytes).toHaveLength(1_000);
  await expect(load(`${web.url}/much`)).rejects.toThrow("too large");
  await until(() => sent.length === 2);
  expect(Math.max(...sent)).toBeLessThan(20_000_000);
});

it("ends a response that trickles or never begins, when the signal aborts", async () => {
  web.pages["/slow"] = (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const timer = setInterval(() => response.write("a"), 5);
    response.on("close", () => clearInterval(timer));
  };
  web.pages["/silent"] = () => {};
  for (const path of ["/slow", "/silent"]) {
    const ends = new AbortController();
    const loading = load(web.url + path, { signal: ends.signal });
    await until(() => web.paths.includes(path));
    ends.abort();
    await expect(loading).rejects.toThrow("aborted");
  }
});
