import { until } from "@messageoh/stack/ports";
import {
  type CallOptions,
  call,
  type Echo,
  type GatewayResponse,
  startEcho,
  startGateway,
  stopEcho,
} from "./gateway.ts";

type Gateway = Awaited<ReturnType<typeof startGateway>>;
const FILES = { "shell/index.html": "<!doctype html>" };
const FORWARDED = { "x-forwarded-for": "198.51.100.9, 203.0.113.7", "x-forwarded-proto": "https" };

let service: Echo;
let gateway: Gateway;

async function start(settings: { publicOrigin?: string; trustedProxies?: string; s3Url?: string }): Promise<void> {
  gateway = await startGateway(
    { users: [service], messages: [service], realtime: [service], media: [service] },
    FILES,
    settings,
  );
}
const request = (path: string, options?: CallOptions): Promise<GatewayResponse> => call(gateway.port, path, options);
/** Returns the headers that a service receives. */
const received = async (headers: Record<string, string>, path = "/messageoh/users") =>
  JSON.parse((await request(path, { headers })).body).headers;
const warnings = () =>
  gateway
    .log()
    .split("\n")
    .filter((line) => line.includes('"level":"warn"'))
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  service = await startEcho("svc");
});
afterAll(() => stopEcho(service));
afterEach(() => gateway?.stop());

describe("behind a proxy that terminates TLS", () => {
  const host = { host: "chat.example:4430" };

  beforeEach(() => start({ publicOrigin: "https://Chat.Example:4430/", trustedProxies: "127.0.0.0/8,10.1.0.0/16" }));

  it("sends the public origin and the client's address to the services", async () => {
    for (const path of ["/messageoh/users", "/messageoh/threads/u1", "/socket.io/?EIO=4&transport=polling"]) {
      expect(await received({ ...host, ...FORWARDED }, path)).toMatchObject({
        host: "chat.example:4430",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "203.0.113.7",
      });
    }
    expect((await request("/", { headers: { ...host, ...FORWARDED } })).headers).toMatchObject({
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    });
  });

  it("takes the last address that is not a proxy's, and ignores addresses from the client", async () => {
    const chain = "1.2.3.4, 203.0.113.7, 10.1.2.3";
    expect(await received({ ...host, "x-forwarded-for": chain })).toMatchObject({ "x-forwarded-for": "203.0.113.7" });
  });

  it("redirects a request that reached the proxy without TLS", async () => {
    const response = await request("/home?a=b", { headers: { ...host, "x-forwarded-proto": "http" } });
    expect([response.status, response.headers.location]).toEqual([301, "https://chat.example:4430/home?a=b"]);
  });

  it("compresses responses, also if the proxy adds its name to the request", async () => {
    const long = { ...host, ...FORWARDED, "accept-encoding": "gzip", "x-long": "a".repeat(600) };
    for (const headers of [long, { ...long, via: "1.1 proxy.example" }]) {
      const response = await request("/messageoh/users", { headers });
      expect([headers, response.headers["content-encoding"]]).toEqual([headers, "gzip"]);
    }
  });

  it("refuses other hosts, except health checks", async () => {
    const seen = service.seen.length;
    for (const path of ["/", "/messageoh/users", "/socket.io/?EIO=4", "/healthz"]) {
      const headers = { host: "evil.example", "x-forwarded-for": "203.0.113.7" };
      const response = await request(path, { headers });
      expect([path, response.status]).toEqual([path, 421]);
      expect(JSON.parse(response.body)).toEqual({ error: expect.any(String) });
    }
    expect((await request("/", { headers: { host: "" } })).status).toBe(421);
    expect(service.seen).toHaveLength(seen);
    expect((await request("/healthz", { headers: { host: "127.0.0.1" } })).status).toBe(200);
    expect((await request("/livez", { headers: { host: "10.2.3.4:8080", ...FORWARDED } })).status).toBe(200);
    expect((await request("/", { headers: host })).status).toBe(200);
  });

  it("limits each client of the proxy, not the proxy", async () => {
    const logIn = (client: string) =>
      request("/messageoh/login", { method: "POST", headers: { ...host, "x-forwarded-for": client } });
    const refused = async (client: (n: number) => string) =>
      (await Promise.all(Array.from({ length: 160 }, (_, n) => logIn(client(n))))).filter(
        ({ status }) => status === 429,
      ).length;
    expect(await refused((n) => `203.0.113.${n}`)).toBe(0);
    expect(await refused((n) => `2001:db8:0:${n}::1`)).toBe(0);
    expect(await refused((n) => `::ffff:198.51.100.${n}`)).toBe(0);
    expect(await refused((n) => `2001:db8:0:ffff:${n}::1`)).toBeGreaterThan(0);
    expect(await refused(() => "203.0.114.1")).toBeGreaterThan(0);
    // The proxy is trusted, so there is no warning.
    expect(warnings()).toEqual([]);
  });
});

it("takes the scheme from a trusted proxy if there is no public origin", async () => {
  await start({ trustedProxies: "127.0.0.1" });
  expect(await received(FORWARDED)).toMatchObject({ "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" });
  expect(await received({})).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1" });
});

it("ignores forwarded headers of an untrusted peer, and logs them as a warning", async () => {
  await start({ trustedProxies: "10.0.0.0/8" });
  expect(await received({})).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1" });
  expect(warnings()).toEqual([]);
  expect(await received(FORWARDED)).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1" });
  await until(() => warnings().length > 0, 20_000);
  expect(warnings()).toEqual([
    expect.objectContaining({
      message: "forwarded headers ignored: 127.0.0.1 is not in TRUSTED_PROXIES",
      status: 200,
    }),
  ]);
  await gateway.stop();
  await start({});
  await request("/", { headers: { forwarded: "for=203.0.113.7" } });
  expect(await until(() => warnings().length === 1, 20_000)).toBe(true);
});

it.each([
  { publicOrigin: "chat.example" },
  { publicOrigin: "https://chat.example/chat" },
  { publicOrigin: 'https://a"; }' },
  { publicOrigin: "https://a\nb" },
  { trustedProxies: "10.0.0.0/8; deny all" },
  { trustedProxies: "proxy.example" },
  { s3Url: "s3.example:9000" },
  { s3Url: "https://s3.example/bucket" },
])("stops the start with the name of the invalid setting: %j", async (settings) => {
  await expect(start(settings)).rejects.toThrow(/Setting (PUBLIC_ORIGIN|TRUSTED_PROXIES|S3_URL) must/);
});
