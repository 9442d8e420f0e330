import { exchange } from "@messageoh/stack/ports";
import { useGateway } from "./gateway.ts";

const { echoes, port, request } = useGateway();

it.each([
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
  ["/messageoh/media/uploads", "svc-media", "/media/uploads"],
  ["/messageoh/media/uploads/m1", "svc-media", "/media/uploads/m1"],
  ["/messageoh/media/m1", "svc-media", "/media/m1"],
  ["/messageoh/media/m1/thumb", "svc-media", "/media/m1/thumb"],
  ["/messageoh/media/export/u1", "svc-media", "/media/export/u1"],
])("routes %s to %s as %s", async (path, service, received) => {
  const response = await request(path);
  expect(response.status).toBe(200);
  expect(JSON.parse(response.body)).toMatchObject({ from: service, path: received });
});

it.each([
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
  "/-/media/ab/abc",
  "/-/s3/bucket/ab/abc",
  "/messageoh/media",
  "/messageoh/media/",
])("responds to %s with a JSON 404", async (path) => {
  const response = await request(path);
  expect(response.status).toBe(404);
  expect(JSON.parse(response.body)).toEqual({ error: "Not found" });
});

describe("routing", () => {
  const START = [
    "",
    "/messageoh",
    "/messageoh/users",
    "/messageoh/login",
    "/messageoh/sessions/u1",
    "/messageoh/media/uploads",
    "/messageoh/media/m1",
    "/socket.io",
    "/x",
  ];
  const UP = ["..", "%2e%2e", ".%2e", "%252e%252e", "..;", "%c0%ae%c0%ae", ".%00.", "%uff0e%uff0e", ".", ""];
  const SLASH = ["/", "//", "%2f", "%2F", "%5c", "\\", "%252f", "/%2e/"];
  const tricks = START.flatMap((start) =>
    UP.flatMap((up) => SLASH.flatMap((slash) => `${start}/${up}${slash}internal${slash}messages`)),
  );
  const services = () => [echoes.users, echoes.messages, echoes.realtime1, echoes.realtime2, echoes.media];
  /** Returns the paths that reach services during `work`. */
  async function seenAfter(work: () => Promise<unknown>): Promise<string[]> {
    for (const echo of services()) echo.seen.length = 0;
    await work();
    return services().flatMap((echo) => echo.seen);
  }
  /** Expects only public calls. Services decode each segment of a path once and do not resolve dots. */
  function expectPublic(seen: string[]): void {
    for (const path of seen) {
      expect(path).toMatch(/^\/(users|login|logout|sessions|friends|media|socket\.io\/\?|socket\.io\/$)/);
      const decoded = (path.split("?")[0] ?? "").replace(/%([\da-f]{2})/gi, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      expect(decoded.split("/")).not.toContain("..");
    }
  }

  it("keeps internal calls unreachable by any path", async () => {
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
      for (const trick of [...tricks, ...more]) await request(trick).catch(() => undefined);
    });
    // Some of the paths are public calls after normalisation.
    expect(seen.length).toBeGreaterThan(0);
    expectPublic(seen);
  }, 60_000);

  it("ignores headers that name another target", async () => {
    const headers: Record<string, string>[] = [
      { host: "svc-users" },
      { host: `127.0.0.1:${echoes.users.port}` },
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
        await request("/internal/messages", { headers: header }).catch(() => undefined);
        await request("/messageoh/users/u1", { headers: header }).catch(() => undefined);
      });
      expect(seen.filter((path) => path !== "/users/u1")).toEqual([]);
    }
  });

  it("rejects a second request that is smuggled in with two lengths", async () => {
    const inner = "GET /internal/messages HTTP/1.1\r\nHost: x\r\n\r\n";
    const head = `POST /messageoh/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length + 5}\r\n`;
    const statuses: string[] = [];
    const seen = await seenAfter(async () => {
      for (const second of ["Transfer-Encoding: chunked", "Transfer-Encoding: xchunked", "Content-Length: 5"]) {
        const response = await exchange(port(), `${head}${second}\r\n\r\n0\r\n\r\n${inner}`);
        statuses.push(String(response).slice(0, 12));
      }
    });
    expect(statuses).toEqual(Array(3).fill("HTTP/1.1 400"));
    expectPublic(seen);
  });

  it("removes headers that only services set", async () => {
    const headers = { "x-internal-secret": "guessed", traceparent: "forged", tracestate: "forged", baggage: "forged" };
    const paths = ["/messageoh/users", "/messageoh/threads/u1", "/socket.io/?EIO=4"];
    for (const path of [...paths, "/messageoh/media/uploads", "/messageoh/media/m1"]) {
      const response = await request(path, { headers });
      const passed = Object.keys(JSON.parse(response.body).headers).filter((name) => name in headers);
      expect([path, passed]).toEqual([path, []]);
    }
  });
});

it("routes a session to the instance in its id, and other requests to any available instance", async () => {
  for (let i = 0; i < 6; i++) {
    const one = await request(`/socket.io/?EIO=4&transport=polling&sid=svc-realtime-1.abc${i}`);
    const two = await request(`/socket.io/?EIO=4&sid=svc-realtime-2.abc${i}&transport=polling`, {
      method: "POST",
      body: "2",
    });
    expect(JSON.parse(one.body)).toMatchObject({ from: "svc-realtime-1" });
    expect(JSON.parse(two.body)).toMatchObject({ from: "svc-realtime-2" });
  }
  const handshakes = await Promise.all(Array.from({ length: 8 }, () => request("/socket.io/?EIO=4&transport=polling")));
  expect(new Set(handshakes.map(({ body }) => JSON.parse(body).from)).size).toBe(2);
  for (const sid of ["127.0.0.1:22", "evil.example", "svc-users.x", "svc-realtime-1"]) {
    const { from, path } = JSON.parse((await request(`/socket.io/?sid=${sid}`)).body);
    expect(from).toMatch(/^svc-realtime-/);
    expect(path).toBe(`/socket.io/?sid=${sid}`);
  }
});

it("sets the forwarding headers itself", async () => {
  const response = await request("/messageoh/users");
  const { headers } = JSON.parse(response.body);
  expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
  expect(response.headers["x-request-id"]).toBe(headers["x-request-id"]);
  expect(headers).toMatchObject({ "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" });
  expect(headers.host).toBe(`127.0.0.1:${port()}`);
});

it("rejects a body over 100 kB with a JSON 413 before it reaches a service", async () => {
  const body = "x".repeat(103_000);
  for (const path of ["/messageoh/users", "/messageoh/update_message_read", "/socket.io/?sid=svc-realtime-1.a"]) {
    const response = await request(path, { method: "POST", body });
    expect(response.status).toBe(413);
    expect(JSON.parse(response.body)).toEqual({ error: expect.any(String) });
  }
  expect((await request("/messageoh/users", { method: "POST", body: "x".repeat(102_000) })).status).toBe(200);
});

it("redirects to a path and not to a host that the request names", async () => {
  const { status, headers } = await request("/socket.io", { headers: { host: "evil.example" } });
  expect([status, headers.location]).toEqual([301, "/socket.io/"]);
});

it("rejects an unknown transfer coding with 400", async () => {
  const head = "POST /messageoh/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n";
  const response = String(await exchange(port(), head));
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain('{"error":"The request could not be read"}');
});

it.each([
  [
    "an address",
    414,
    "The address is too long",
    `GET /messageoh/messages/u1?search=${"x".repeat(10_000)} HTTP/1.1\r\nHost: a`,
  ],
  ["a header", 400, "The request could not be read", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(10_000)}`],
  ["a host", 400, "The request could not be read", "GET / HTTP/1.1"],
  ["a path", 400, "The request could not be read", "GET"],
])("rejects %s that is too long or missing with a JSON %i", async (_, status, error, head) => {
  const response = String(await exchange(port(), `${head}\r\n\r\n`));
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(response).toContain(JSON.stringify({ error }));
});
