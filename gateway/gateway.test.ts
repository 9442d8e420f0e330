import { exchange } from "@messageoh/stack/ports";
import { type Answer, type CallOptions, call, type Echo, startEcho, startGateway, stopEcho } from "./testGateway.ts";

const PAGE =
  '<!doctype html><script type="application/json"><!--# include virtual="/mfe-auth/current.json" --></script>';
const FILES = {
  "shell/index.html": PAGE,
  "shell/assets/main.12345678.js": "shell()",
  "shell/current.json": '{"release":"s1"}',
  "mfe-auth/current.json": '{"release":"r1"}',
  "mfe-auth/r1/mf-manifest.json": "{}",
  "mfe-auth/r1/remoteEntry.12345678.js": "auth()",
};

let users: Echo;
let messages: Echo;
let realtime1: Echo;
let realtime2: Echo;
let gateway: Awaited<ReturnType<typeof startGateway>>;

const ask = (path: string, options?: CallOptions): Promise<Answer> => call(gateway.port, path, options);

beforeAll(async () => {
  [users, messages, realtime1, realtime2] = await Promise.all([
    startEcho("svc-users"),
    startEcho("svc-messages"),
    startEcho("svc-realtime-1"),
    startEcho("svc-realtime-2"),
  ]);
  const upstreams = { users: [users], messages: [messages], realtime: [realtime1, realtime2] };
  gateway = await startGateway(upstreams, FILES);
}, 120_000);

afterAll(async () => {
  await gateway?.stop();
  await Promise.all([users, messages, realtime1, realtime2].map(stopEcho));
});

test.each([
  ["/messageoh/users", "svc-users", "/users"],
  ["/messageoh/users?search=a%20b", "svc-users", "/users?search=a%20b"],
  ["/messageoh/users/u1", "svc-users", "/users/u1"],
  ["/messageoh/users/a%3Fb%23c", "svc-users", "/users/a%3Fb%23c"],
  ["/messageoh/login", "svc-users", "/login"],
  ["/messageoh/logout", "svc-users", "/logout"],
  ["/messageoh/sessions/u1", "svc-users", "/sessions/u1"],
  ["/messageoh/friends/u1", "svc-users", "/friends/u1"],
  ["/messageoh/add_friend", "svc-users", "/add_friend"],
  ["/messageoh/messages/u1?thread_id=t", "svc-messages", "/messages/u1?thread_id=t"],
  ["/messageoh/threads/u1", "svc-messages", "/threads/u1"],
  ["/messageoh/update_message_read", "svc-messages", "/update_message_read"],
])("%s goes to %s as %s", async (path, service, received) => {
  const answer = await ask(path);
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toMatchObject({ from: service, path: received });
});

test.each([
  "/messageoh",
  "/messageoh/",
  "/messageoh/nothing",
  "/messageoh/usersx",
  "/messageoh/login/x",
  "/messageoh/healthz",
  "/messageoh/readyz",
  "/messageoh/metrics",
  "/internal/messages",
  "/internal/calls",
  "/metrics",
  "/readyz",
  "/-/ready/users",
])("%s is not routed and answers a JSON 404", async (path) => {
  const answer = await ask(path);
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toEqual({ error: "Not found" });
});

describe("no trick", () => {
  const START = [
    "",
    "/messageoh",
    "/messageoh/users",
    "/messageoh/login",
    "/messageoh/sessions/u1",
    "/socket.io",
    "/x",
  ];
  const UP = ["..", "%2e%2e", ".%2e", "%252e%252e", "..;", "%c0%ae%c0%ae", ".%00.", "%uff0e%uff0e", ".", ""];
  const SLASH = ["/", "//", "%2f", "%2F", "%5c", "\\", "%252f", "/%2e/"];
  const tricks = START.flatMap((start) =>
    UP.flatMap((up) => SLASH.flatMap((slash) => `${start}/${up}${slash}internal${slash}messages`)),
  );
  const services = () => [users, messages, realtime1, realtime2];
  /** What reached a service of all that was asked. */
  async function seenAfter(work: () => Promise<unknown>): Promise<string[]> {
    for (const echo of services()) echo.seen.length = 0;
    await work();
    return services().flatMap((echo) => echo.seen);
  }
  /** A service decodes each part of a path once and resolves no dots: none of these is a call between services. */
  function expectPublic(seen: string[]): void {
    for (const path of seen) {
      expect(path).toMatch(/^\/(users|login|logout|sessions|friends|socket\.io\/\?|socket\.io\/$)/);
      const decoded = (path.split("?")[0] ?? "").replace(/%([\da-f]{2})/gi, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      expect(decoded.split("/")).not.toContain("..");
    }
  }

  test("in a path reaches a service's internal calls", async () => {
    const more = [
      "/messageoh/%69nternal/x",
      "/messageoh/users/a%0d%0aGET%20/internal/x",
      "/messageoh/login%0a/../internal/x",
      "/messageoh/users/../../internal/x",
      "/%69nternal/x",
      "/INTERNAL/x",
      "/internal/../socket.io/?sid=svc-realtime-1.a",
      "/messageoh/users?/../internal/x",
      "/messageoh/users#/../internal/x",
      "http://svc-users/internal/x",
      "http://svc-users/messageoh/../internal/x",
      "https://svc-users:3000/internal/x",
      "//svc-users/internal/x",
      "svc-users:80",
      "*",
    ];
    const seen = await seenAfter(async () => {
      for (const trick of [...tricks, ...more]) await ask(trick).catch(() => undefined);
    });
    // Some are plain calls once they are tidied up.
    expect(seen.length).toBeGreaterThan(0);
    expectPublic(seen);
  }, 60_000);

  test("in a header leads elsewhere than the path says", async () => {
    const headers: Record<string, string>[] = [
      { host: "svc-users" },
      { host: `127.0.0.1:${users.port}` },
      { host: "localhost/internal/messages?" },
      { host: "" },
      { "x-original-url": "/internal/messages" },
      { "x-rewrite-url": "/internal/messages" },
      { "x-forwarded-prefix": "/internal" },
      { "x-forwarded-host": "svc-users" },
      { "x-http-method-override": "DELETE" },
      { "x-accel-redirect": "/-/ready/users" },
    ];
    for (const header of headers) {
      const seen = await seenAfter(async () => {
        await ask("/internal/messages", { headers: header }).catch(() => undefined);
        await ask("/messageoh/users/u1", { headers: header }).catch(() => undefined);
      });
      expect(seen.filter((path) => path !== "/users/u1")).toEqual([]);
    }
  });

  test("of two lengths smuggles a second request into the first", async () => {
    const inner = "GET /internal/messages HTTP/1.1\r\nHost: x\r\n\r\n";
    const head = `POST /messageoh/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length + 5}\r\n`;
    const seen = await seenAfter(async () => {
      await exchange(gateway.port, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`);
      await exchange(gateway.port, `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`);
      await exchange(gateway.port, `${head}Content-Length: 5\r\n\r\n0\r\n\r\n${inner}`);
    });
    expectPublic(seen);
  });

  test("passes on headers that only services set", async () => {
    const headers = { "x-internal-secret": "guessed", traceparent: "forged", tracestate: "forged", baggage: "forged" };
    for (const path of ["/messageoh/users", "/messageoh/threads/u1", "/socket.io/?EIO=4"]) {
      const answer = await ask(path, { headers });
      const passed = Object.keys(JSON.parse(answer.body).headers).filter((name) => name in headers);
      expect([path, passed]).toEqual([path, []]);
    }
  });
});

test("a session stays at the instance that its id names, others go to any living one", async () => {
  for (let i = 0; i < 6; i++) {
    const one = await ask(`/socket.io/?EIO=4&transport=polling&sid=svc-realtime-1.abc${i}`);
    const two = await ask(`/socket.io/?EIO=4&sid=svc-realtime-2.abc${i}&transport=polling`, {
      method: "POST",
      body: "2",
    });
    expect(JSON.parse(one.body)).toMatchObject({ from: "svc-realtime-1" });
    expect(JSON.parse(two.body)).toMatchObject({ from: "svc-realtime-2" });
  }
  const handshakes = await Promise.all(Array.from({ length: 8 }, () => ask("/socket.io/?EIO=4&transport=polling")));
  expect(new Set(handshakes.map(({ body }) => JSON.parse(body).from)).size).toBe(2);
  for (const sid of ["127.0.0.1:22", "evil.example", "svc-users.x", "svc-realtime-1"]) {
    const { from, path } = JSON.parse((await ask(`/socket.io/?sid=${sid}`)).body);
    expect(from).toMatch(/^svc-realtime-/);
    expect(path).toBe(`/socket.io/?sid=${sid}`);
  }
});

test("a service sees the gateway's headers and not the browser's claims", async () => {
  const answer = await ask("/messageoh/users");
  const { headers } = JSON.parse(answer.body);
  expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.headers["x-request-id"]).toBe(headers["x-request-id"]);
  expect(headers).toMatchObject({ "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" });
  expect(headers.host).toBe(`127.0.0.1:${gateway.port}`);
});

test("a body over 100 kB is refused with JSON before any service sees it", async () => {
  const body = "x".repeat(103_000);
  for (const path of ["/messageoh/users", "/messageoh/update_message_read", "/socket.io/?sid=svc-realtime-1.a"]) {
    const answer = await ask(path, { method: "POST", body });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
  }
  expect((await ask("/messageoh/users", { method: "POST", body: "x".repeat(102_000) })).status).toBe(200);
});

test.each(["/", "/home", "/home/abc", "/no/such/path", "/index.html"])("%s is the page, never cached", async (path) => {
  const answer = await ask(path);
  expect(answer.status).toBe(200);
  expect(answer.body).toContain('{"release":"r1"}');
  expect(answer.headers["cache-control"]).toBe("no-cache");
  expect(answer.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
});

test("every answer carries the policies, and the page its own of what may run", async () => {
  for (const path of ["/", "/assets/main.12345678.js", "/gone.js", "/messageoh/users", "/messageoh/none", "/healthz"]) {
    const { headers } = await ask(path);
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
        "content-security-policy": expect.stringMatching(/default-src 'none';.*frame-ancestors 'none'/),
      }),
    ]);
    // Only behind https may it be promised.
    expect(headers).not.toHaveProperty("strict-transport-security");
  }
  const policy = (await ask("/")).headers["content-security-policy"];
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain("unsafe");
});

test.each([
  ["/assets/main.12345678.js", "public, max-age=31536000, immutable"],
  ["/mfe-auth/r1/remoteEntry.12345678.js", "public, max-age=31536000, immutable"],
  ["/mfe-auth/r1/mf-manifest.json", "no-cache"],
  ["/mfe-auth/current.json", "no-cache"],
  ["/shell/current.json", "no-cache"],
])("%s is served with cache-control %s", async (path, cacheControl) => {
  const answer = await ask(path);
  expect(answer.status).toBe(200);
  expect(answer.headers["cache-control"]).toBe(cacheControl);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
});

test.each([
  "/assets/gone.12345678.js",
  "/main.js",
  "/mfe-auth/r0/remoteEntry.js",
  "/mfe-auth/",
  "/mfe-chat/current.json",
])("%s is missing: a 404 that nobody keeps, and not the page", async (path) => {
  const answer = await ask(path);
  expect(answer.status).toBe(404);
  expect(answer.headers["cache-control"] ?? "none").toMatch(/^(none|no-cache)$/);
  expect(answer.body).not.toContain("<script");
});

test.each(["/foo.js", "/a.css", "/assets/x", "/assets/gone.12345678.js", "/mfe-auth/x", "/mfe-chat/r0/gone.js"])(
  "%s is the page, never cached, for a browser that goes there",
  async (path) => {
    const answer = await ask(path, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('{"release":"r1"}');
    expect(answer.headers["cache-control"]).toBe("no-cache");
  },
);

test("only GET and HEAD reach the page", async () => {
  expect((await ask("/home", { method: "HEAD" })).status).toBe(200);
  expect((await ask("/home", { method: "POST", body: "" })).status).toBe(405);
  expect((await ask("/home", { method: "DELETE" })).status).toBe(405);
});

test("a body in a coding that nobody knows is a bad request", async () => {
  const head = "POST /messageoh/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n";
  const answer = String(await exchange(gateway.port, head));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('{"error":"The request could not be read"}');
});

test("/healthz answers 200 only while users, messages and realtime are ready", async () => {
  expect((await ask("/healthz")).status).toBe(200);
  for (const group of [[users], [messages], [realtime1, realtime2]]) {
    for (const echo of group) echo.ready = false;
    const answer = await ask("/healthz");
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
    for (const echo of group) echo.ready = true;
  }
  expect((await ask("/healthz")).status).toBe(200);
});

test("log-ins of one address beyond a burst are refused before any service hears of them", async () => {
  const before = users.seen.length;
  const answers = await Promise.all(Array.from({ length: 160 }, () => ask("/messageoh/login", { method: "POST" })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(users.seen.length - before).toBe(answers.length - refused.length);
  expect(users.seen.length - before).toBeGreaterThanOrEqual(100);
  expect(refused[0]?.headers["retry-after"]).toBe("5");
  expect(JSON.parse(refused[0]?.body ?? "")).toEqual({ error: expect.stringContaining("Too many logins") });
  expect((await ask("/messageoh/users")).status).toBe(200);
});

test("when all instances were away, everybody is let in as soon as they are back", async () => {
  const instances = await Promise.all([startEcho("svc-realtime-1"), startEcho("svc-realtime-2")]);
  const upstreams = { users: [users], messages: [messages], realtime: instances };
  const { port, stop } = await startGateway(upstreams, FILES);
  const handshake = "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\n";
  const upgrade = () => exchange(port, `${handshake}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await Promise.all(instances.map(stopEcho));
  for (let tries = 0; tries < 4; tries += 1) expect(String(await upgrade())).toMatch(/^HTTP\/1.1 502/);
  for (const { server, port: same } of instances) {
    const accept = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    server.on("upgrade", (_, socket) => {
      socket.on("error", () => {}).on("end", () => socket.destroy());
      socket.write(accept);
    });
    await new Promise<void>((resolve) => server.listen(same, "127.0.0.1", resolve));
  }
  const answers = await Promise.all(Array.from({ length: 10 }, upgrade));
  for (const answer of answers) expect(String(answer)).toMatch(/^HTTP\/1.1 101/);
  await stop();
  await Promise.all(instances.map(stopEcho));
});

// Last, because it ends services.
test("a dead instance is passed over at the handshake, and a dead service is a JSON 502", async () => {
  await stopEcho(realtime2);
  for (let i = 0; i < 6; i++) {
    const answer = await ask("/socket.io/?EIO=4&transport=polling");
    expect(JSON.parse(answer.body)).toMatchObject({ from: "svc-realtime-1" });
  }
  expect((await ask("/socket.io/?sid=svc-realtime-2.abc")).status).toBe(502);
  await stopEcho(messages);
  const answer = await ask("/messageoh/threads/u1");
  expect(answer.status).toBe(502);
  expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
  expect((await ask("/healthz")).status).toBe(503);
});
