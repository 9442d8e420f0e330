import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { exchange, until } from "@messageoh/stack/ports";
import { call, type Echo, startEcho, startGateway, stopEcho } from "./gateway.ts";

const FILES = { "shell/index.html": "<!doctype html>" };
const TRUSTED = "127.0.0.1";

let service: Echo;
let gateway: Awaited<ReturnType<typeof startGateway>>;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startEcho("svc");
  service.server.on("upgrade", (_, socket) => {
    socket.on("error", () => {}).on("end", () => socket.destroy());
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  });
  const upstreams = { users: [service], messages: [service], realtime: [service], media: [service] };
  gateway = await startGateway(upstreams, FILES, { trustedProxies: TRUSTED });
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway?.stop();
  await stopEcho(service);
});

/**
 * Opens a WebSocket from an address, keeps it open and resolves with the status line. Its session id makes it no
 * handshake.
 */
function open(address: string): Promise<string> {
  const socket = connect(gateway.port, "127.0.0.1");
  sockets.push(socket);
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket&sid=svc-realtime-1.a HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    socket.once("data", (data) => resolve(String(data).split("\r\n")[0] ?? ""));
    socket.once("error", reject);
  });
}
const request = (path: string, address: string) =>
  call(gateway.port, path, { headers: { "x-forwarded-for": address } });

it("allows an address 1,000 connections, without an effect on other addresses", async () => {
  const responses: string[] = [];
  while (responses.length < 1_100)
    responses.push(...(await Promise.all(Array.from({ length: 100 }, () => open("203.0.113.7")))));
  expect(responses.filter((line) => line.includes(" 101 "))).toHaveLength(1_000);
  expect(responses.filter((line) => line.includes(" 429 "))).toHaveLength(100);
  const refused = await request("/messageoh/users", "203.0.113.7");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "10"]);
  expect(JSON.parse(refused.body)).toEqual({
    error: expect.stringContaining("Too many connections from your network"),
  });
  expect((await request("/", "203.0.113.7")).status).toBe(429);
  expect((await request("/healthz", "203.0.113.7")).status).toBe(200);
  for (const path of ["/", "/messageoh/users"]) expect((await request(path, "203.0.113.8")).status).toBe(200);
  expect(await open("203.0.113.8")).toContain(" 101 ");
}, 60_000);

/** Writes `count` calls into one connection and resolves with all responses when the connection is closed. */
function pipeline(count: number, address: string, line = "GET /messageoh/no-such-call"): Promise<string> {
  const socket = connect(gateway.port, "127.0.0.1");
  const head = `${line} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n`;
  socket.write(`${`${head}\r\n`.repeat(count - 1)}${head}Connection: close\r\n\r\n`);
  return text(socket);
}

it("delays calls of an address above 30 to 200 per second and refuses them above 800, without an effect on other addresses", async () => {
  const calls = Promise.all(Array.from({ length: 900 }, () => pipeline(3, "203.0.113.20")));
  expect((await request("/messageoh/users", "203.0.113.21")).status).toBe(200);
  const responses = await calls;
  expect(responses.join("").match(/HTTP\/1\.1 404/g)?.length).toBeGreaterThanOrEqual(800);
  const refused = responses.find((response) => response.includes("HTTP/1.1 429"));
  expect(refused).toContain("Too many requests from your network. Please try again in a few seconds");
  // The first refusal closes the connection.
  expect(refused?.match(/Connection: close/g)).toHaveLength(1);
}, 60_000);

it.each([
  ["files", 500, 500, "/"],
  ["handshakes", 100, 50, "/socket.io/?EIO=4&transport=polling"],
])(
  "delays %s of an address above %i to %i per second, without an effect on other addresses",
  async (_, first, rate, path) => {
    const address = "203.0.113.30";
    const startedAt = performance.now();
    const responses = Promise.all(
      Array.from({ length: 20 }, () => pipeline((first + 2 * rate) / 20, address, `GET ${path}`)),
    );
    expect((await request(path, "203.0.113.41")).status).toBe(200);
    expect((await request("/healthz", address)).status).toBe(200);
    expect((await responses).join("").match(/HTTP\/1\.1 200/g)).toHaveLength(first + 2 * rate);
    expect(performance.now() - startedAt).toBeGreaterThan(1_800);
  },
  60_000,
);

it("closes the connection of a client that sends too many reports", async () => {
  for (const line of ["POST /csp-report", "GET /csp-report"]) {
    const response = await pipeline(60, "203.0.113.40", line);
    expect(response.match(/HTTP\/1\.1 429/g)).toHaveLength(1);
    expect(response.match(/Connection: close/g)).toHaveLength(1);
  }
}, 60_000);

it("logs reports of blocked content, up to 8 kB each and a burst of 20 per address", async () => {
  const report = (body: string, address: string, type = "application/csp-report", method = "POST") =>
    call(gateway.port, "/csp-report", {
      method,
      body,
      headers: { "content-type": type, "x-forwarded-for": address },
    }).then(({ status }) => status);
  const body = JSON.stringify({ "csp-report": { "blocked-uri": 'https://evil.example/"\n' } });
  expect(await report(body, "198.51.100.1")).toBe(204);
  expect(await report("[]", "198.51.100.1", "application/reports+json")).toBe(204);
  expect(await report(body, "198.51.100.1", "text/plain")).toBe(415);
  expect(await report("", "198.51.100.1", "application/csp-report", "GET")).toBe(415);
  expect(await report("x".repeat(8_193), "198.51.100.1")).toBe(413);
  const lines = () =>
    gateway
      .log()
      .split("\n")
      .filter((line) => line.includes("content security policy violated"));
  await until(() => lines().length === 2, 20_000);
  const logged = lines().map((line) => JSON.parse(line));
  expect(logged.map(({ report }) => report)).toEqual([body, "[]"]);
  expect(logged[0]).toMatchObject({ level: "warn", remote_addr: "198.51.100.1" });
  const many = await Promise.all(Array.from({ length: 40 }, () => report("{}", "198.51.100.2")));
  expect(many.filter((status) => status === 429).length).toBeGreaterThan(10);
  const { headers } = await request("/", "198.51.100.3");
  expect(headers["content-security-policy"]).toContain("report-uri /csp-report; report-to csp");
  expect(headers["reporting-endpoints"]).toBe('csp="/csp-report"');
});

it("writes its log in UTF-8, with the paths that clients sent", async () => {
  const send = (head: string, body = "") =>
    exchange(gateway.port, Buffer.from(`${head} HTTP/1.0\r\nX-Forwarded-For: 198.51.100.9\r\n${body}`, "latin1"));
  const paths = ["/messageoh/users/%ff%fe?search=secret", "/\xff?search=secret", "/messageoh/users/%22%0a"];
  for (const path of paths) await send(`GET ${path}`, "\r\n");
  const report = 'Content-Type: application/csp-report\r\nContent-Length: 3\r\n\r\n"\xff"';
  // The tests above have used up the reports of all addresses for some seconds.
  expect(await until(async () => String(await send("POST /csp-report", report)).includes(" 204 "), 20_000)).toBe(true);
  await request("/", "203.0.113.61");
  await until(() => gateway.log().includes("203.0.113.61"), 20_000);
  // A replacement character stands for each invalid byte.
  expect(gateway.log().includes("\ufffd")).toBe(false);
  const lines = gateway
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const logged = lines.map(({ path }) => path);
  expect(logged).toEqual(expect.arrayContaining(["/messageoh/users/%ff%fe", "(not ASCII)", "/messageoh/users/%22%0a"]));
  expect(lines.findLast(({ report }) => report)?.report).toBe("(not ASCII)");
  expect(gateway.log().includes("secret")).toBe(false);
});

it("leaves the queries of requests that fail out of its log", async () => {
  const fail = ({ socket }: IncomingMessage) => socket.destroy();
  service.server.prependListener("request", fail);
  const ids = ["messages/u1", "users", "media/m1", "media/uploads/m1"].map(
    (call) => `/messageoh/${call}?search=secret`,
  );
  for (const path of [
    ...ids,
    "/socket.io/?transport=polling&t=secret",
    "/socket.io/?transport=polling&sid=svc.secret",
  ]) {
    expect([path, (await request(path, "203.0.113.71")).status]).toEqual([path, 502]);
  }
  service.server.off("request", fail);
  const options = { method: "POST", body: "x".repeat(103_000), headers: { "x-forwarded-for": "203.0.113.71" } };
  expect((await call(gateway.port, "/messageoh/messages/u1?search=secret", options)).status).toBe(413);
  // The first test has opened as many connections of this address as it may have.
  expect((await request("/home?invite=secret", "203.0.113.7")).status).toBe(429);
  await request("/", "203.0.113.72");
  await until(() => gateway.log().includes("203.0.113.72"), 20_000);
  const lines = gateway.log().split("\n");
  expect(lines.filter((line) => line.includes("secret"))).toEqual([]);
});

it("writes a small log during a flood of requests that are refused or that no limit counts", async () => {
  const before = gateway.log().length;
  const report = `Content-Type: application/csp-report\r\nContent-Length: 9000\r\n\r\n${"x".repeat(9_000)}`;
  const floods: [head: string, rest: string, statuses: string[]][] = [
    ["POST /csp-report", report, ["413", "429"]],
    ["GET /internal/x", "\r\n", ["404"]],
    ["GET /socket.io", "\r\n", ["301"]],
    ["GET /%", "\r\n", ["400"]],
  ];
  for (const [head, rest, expected] of floods) {
    const statuses = new Set<string>();
    const send = async () => {
      const request = `${head} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.50\r\n${rest}`;
      const response = String(await exchange(gateway.port, request));
      statuses.add(/^HTTP\/1.1 (\d+)/.exec(response)?.[1] ?? "none");
    };
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 30 }, send));
    expect([head, [...statuses].filter((status) => status !== "none").sort()]).toEqual([head, expected]);
  }
  await request("/", "203.0.113.51");
  await until(() => gateway.log().includes("203.0.113.51"), 20_000);
  // All lines of the 2,400 requests would take 700 kB.
  expect(gateway.log().length - before).toBeLessThan(70_000);
}, 60_000);
