import { until } from "@messageoh/stack/ports";
import { type Answer, type CallOptions, call, type Echo, startEcho, startGateway, stopEcho } from "./testGateway.ts";

type Gateway = Awaited<ReturnType<typeof startGateway>>;
const FILES = { "shell/index.html": "<!doctype html>" };
const FORWARDED = { "x-forwarded-for": "198.51.100.9, 203.0.113.7", "x-forwarded-proto": "https" };

let service: Echo;
let gateway: Gateway;

async function start(settings: { publicOrigin?: string; trustedProxies?: string }): Promise<void> {
  gateway = await startGateway({ users: [service], messages: [service], realtime: [service] }, FILES, settings);
}
const ask = (path: string, options?: CallOptions): Promise<Answer> => call(gateway.port, path, options);
/** The headers that a service got with a call. */
const received = async (headers: Record<string, string>, path = "/messageoh/users") =>
  JSON.parse((await ask(path, { headers })).body).headers;
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

describe("behind a proxy that ends TLS", () => {
  const host = { host: "chat.example:4430" };

  beforeEach(() => start({ publicOrigin: "https://Chat.Example:4430/", trustedProxies: "127.0.0.0/8,10.1.0.0/16" }));

  test("tells the services the public origin and the client's address", async () => {
    for (const path of ["/messageoh/users", "/messageoh/threads/u1", "/socket.io/?EIO=4&transport=polling"]) {
      expect(await received({ ...host, ...FORWARDED }, path)).toMatchObject({
        host: "chat.example:4430",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "203.0.113.7",
      });
    }
    expect((await ask("/", { headers: { ...host, ...FORWARDED } })).headers).toMatchObject({
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    });
  });

  test("takes the last address that is not a proxy's, whatever the client claims", async () => {
    const chain = "1.2.3.4, 203.0.113.7, 10.1.2.3";
    expect(await received({ ...host, "x-forwarded-for": chain })).toMatchObject({ "x-forwarded-for": "203.0.113.7" });
  });

  test("redirects a request that reached the proxy without TLS", async () => {
    const answer = await ask("/home?a=b", { headers: { ...host, "x-forwarded-proto": "http" } });
    expect([answer.status, answer.headers.location]).toEqual([301, "https://chat.example:4430/home?a=b"]);
  });

  test("refuses other hosts, except health checks", async () => {
    const seen = service.seen.length;
    for (const path of ["/", "/messageoh/users", "/socket.io/?EIO=4", "/healthz"]) {
      const headers = { host: "evil.example", "x-forwarded-for": "203.0.113.7" };
      const answer = await ask(path, { headers });
      expect([path, answer.status]).toEqual([path, 421]);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
    }
    expect((await ask("/", { headers: { host: "" } })).status).toBe(421);
    expect(service.seen).toHaveLength(seen);
    expect((await ask("/healthz", { headers: { host: "127.0.0.1" } })).status).toBe(200);
    expect((await ask("/livez", { headers: { host: "10.2.3.4:8080", ...FORWARDED } })).status).toBe(200);
    expect((await ask("/", { headers: host })).status).toBe(200);
  });

  test("limits each client that the proxy names, not the proxy", async () => {
    const logIn = (client: string) =>
      ask("/messageoh/login", { method: "POST", headers: { ...host, "x-forwarded-for": client } });
    const refused = async (client: (n: number) => string) =>
      (await Promise.all(Array.from({ length: 160 }, (_, n) => logIn(client(n))))).filter(
        ({ status }) => status === 429,
      ).length;
    expect(await refused((n) => `203.0.113.${n}`)).toBe(0);
    expect(await refused((n) => `2001:db8:0:${n}::1`)).toBe(0);
    expect(await refused((n) => `::ffff:198.51.100.${n}`)).toBe(0);
    expect(await refused((n) => `2001:db8:0:ffff:${n}::1`)).toBeGreaterThan(0);
    expect(await refused(() => "203.0.114.1")).toBeGreaterThan(0);
    // No warning: the proxy is trusted.
    expect(warnings()).toEqual([]);
  });
});

test("a proxy that is trusted, without a public origin, says which scheme the browser used", async () => {
  await start({ trustedProxies: "127.0.0.1" });
  expect(await received(FORWARDED)).toMatchObject({ "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" });
  expect(await received({})).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1" });
});

test("forwarded headers of a peer that is not trusted are ignored, and one warning a minute says so", async () => {
  await start({ trustedProxies: "10.0.0.0/8" });
  expect(await received({})).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1" });
  expect(warnings()).toEqual([]);
  expect(await received(FORWARDED)).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-for": "127.0.0.1" });
  for (let n = 0; n < 5; n += 1) await ask("/", { headers: FORWARDED });
  await until(() => warnings().length > 0, 2_000);
  expect(warnings()).toEqual([
    expect.objectContaining({ message: "forwarded headers ignored: 127.0.0.1 is not in TRUSTED_PROXIES" }),
  ]);
  await gateway.stop();
  await start({});
  await ask("/", { headers: { forwarded: "for=203.0.113.7" } });
  expect(await until(() => warnings().length === 1, 2_000)).toBe(true);
});

test.each([
  { publicOrigin: "chat.example" },
  { publicOrigin: "https://chat.example/chat" },
  { publicOrigin: 'https://a"; }' },
  { publicOrigin: "https://a\nb" },
  { trustedProxies: "10.0.0.0/8; deny all" },
  { trustedProxies: "proxy.example" },
])("a setting that is no origin or no network is named: %j", async (settings) => {
  await expect(start(settings)).rejects.toThrow(/Setting (PUBLIC_ORIGIN|TRUSTED_PROXIES) must/);
});
