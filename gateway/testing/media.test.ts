import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { exchange, until } from "@messageoh/stack/ports";
import { call, startGateway } from "./gateway.ts";

const FILES = { "shell/index.html": "<!doctype html>" };
const PATH = "/messageoh/media/m1/view";
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";
const NAMED = {
  "content-type": "image/webp",
  "content-disposition": 'attachment; filename="a.webp"',
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

/** A server whose behaviour a test sets. */
type Stub = { server: Server; port: number; respond: RequestListener };
async function startStub(): Promise<Stub> {
  const stub: Stub = { server: createServer((req, res) => stub.respond(req, res)), port: 0, respond: () => {} };
  await new Promise<void>((resolve) => stub.server.listen(0, "127.0.0.1", resolve));
  stub.port = (stub.server.address() as AddressInfo).port;
  return stub;
}

let media: Stub;
let s3: Stub;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  media = await startStub();
  s3 = await startStub();
  const upstream = [{ name: "svc-media", port: media.port }];
  const upstreams = { users: upstream, messages: upstream, realtime: upstream, media: upstream };
  const settings = { s3Url: `http://127.0.0.1:${s3.port}/`, trustedProxies: "127.0.0.1" };
  gateway = await startGateway(upstreams, FILES, settings);
  await mkdir(join(gateway.mediaDir, "ab"), { recursive: true });
  await writeFile(join(gateway.mediaDir, "ab/abc"), "0123456789");
  await writeFile(join(gateway.mediaDir, "ab/page"), "<script>alert(1)</script>".repeat(100));
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  for (const { server } of [media, s3]) {
    server.closeAllConnections();
    server.close();
  }
});

/** Makes svc-media allow the request and name where the bytes are. */
function locate(target: string, headers: Record<string, string> = NAMED): void {
  media.respond = (req, res) => {
    req.resume();
    res.writeHead(200, { ...headers, "x-accel-redirect": target }).end();
  };
}
const get = (headers: Record<string, string> = {}, method = "GET") => call(gateway.port, PATH, { headers, method });

describe("a file in the folder", () => {
  beforeEach(() => locate("/-/media/ab/abc"));

  it("has the headers of svc-media, one sandbox and a long life in the browser's own cache", async () => {
    const { status, headers, body } = await get();
    expect([status, body]).toEqual([200, "0123456789"]);
    expect(headers).toMatchObject({
      "content-type": "image/webp",
      "content-disposition": 'attachment; filename="a.webp"',
      "content-security-policy": SANDBOX,
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      "accept-ranges": "bytes",
      "content-length": "10",
    });
  });

  it("is served in ranges, by HEAD, and with 304 to a browser that has it", async () => {
    const part = await get({ range: "bytes=2-4" });
    expect([part.status, part.body, part.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
    const head = await get({}, "HEAD");
    expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", "10"]);
    const { status, headers } = await get({ "if-none-match": String(head.headers.etag) });
    expect([status, headers["cache-control"]]).toEqual([304, "private, max-age=31536000, immutable"]);
  });

  it("responds to a range outside it with a JSON 416, and to a missing file with a JSON 404, which no browser keeps", async () => {
    const outside = await get({ range: "bytes=20-40" });
    expect([outside.status, outside.headers["content-range"]]).toEqual([416, "bytes */10"]);
    expect(JSON.parse(outside.body)).toEqual({ error: "The file does not have these bytes" });
    locate("/-/media/ab/none");
    const missing = await get();
    expect([missing.status, JSON.parse(missing.body)]).toEqual([404, { error: "Not found" }]);
    for (const { headers } of [outside, missing]) {
      expect(headers["content-type"]).toContain("application/json");
      expect(headers["cache-control"] ?? "no-store").toContain("no-store");
    }
  });

  it.each([
    [206, "bytes=0-0"],
    [206, "bytes=0-0,2-3,-1"],
    [416, "bytes=-0"],
    [416, "bytes=5-2"],
    [416, "bytes=a-b"],
    [200, `bytes=${"0-,".repeat(1_000)}0-`],
  ])("responds with %i to range number %#", async (status, range) => {
    expect((await get({ range })).status).toBe(status);
  });

  it("may have the longest name", async () => {
    const name = `attachment; filename*=UTF-8''${"%F0%9F%A6%8A".repeat(200)}`;
    locate("/-/media/ab/abc", { "content-disposition": name });
    expect(await get()).toMatchObject({ status: 200, headers: { "content-disposition": name } });
  });

  it("keeps its bytes and its type, and runs nothing, if it is a page", async () => {
    locate("/-/media/ab/page", { "content-type": "text/html" });
    const { headers } = await get({ "accept-encoding": "gzip", accept: "text/html" });
    expect(headers).toMatchObject({ "content-type": "text/html", "content-security-policy": SANDBOX });
    expect(headers).not.toHaveProperty("content-encoding");
  });

  it("is never outside the folder", async () => {
    for (const target of ["/-/media/../www/shell/index.html", "/-/media/%2e%2e/www/shell/index.html"]) {
      locate(target);
      expect((await get()).status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe("a file in S3", () => {
  const SIGNED = "/-/s3/bucket/ab/abc.view?X-Amz-Date=20261125T000000Z&X-Amz-Signature=a%2Fb";
  let seen: IncomingMessage[];
  /** Makes S3 respond like this. */
  const answer = (status: number, headers: Record<string, string> = {}, body = "") => {
    s3.respond = (req, res) => {
      seen.push(req);
      res.writeHead(status, { server: "S3", "x-amz-request-id": "1", "set-cookie": "a=b", ...headers }).end(body);
    };
  };
  beforeEach(() => {
    seen = [];
    locate(SIGNED);
    answer(
      200,
      { "content-type": "binary/octet-stream", etag: '"e"', "x-accel-redirect": "/index.html" },
      "0123456789",
    );
  });

  it("is requested with the signed path, query and host, and without what the browser sent", async () => {
    await get({
      cookie: "session=secret",
      authorization: "secret",
      "x-forwarded-for": "203.0.113.7",
      range: "bytes=2-4",
    });
    expect(seen.map(({ method, url }) => [method, url])).toEqual([["GET", SIGNED.slice("/-/s3".length)]]);
    expect(seen[0]?.headers).toEqual({ host: `127.0.0.1:${s3.port}`, range: "bytes=2-4" });
  });

  it("has the headers of svc-media and none of S3's own", async () => {
    const { status, headers, body } = await get();
    expect([status, body]).toEqual([200, "0123456789"]);
    expect(headers).toMatchObject({
      "content-type": "image/webp",
      "content-disposition": 'attachment; filename="a.webp"',
      "content-security-policy": SANDBOX,
      "cache-control": "private, max-age=31536000, immutable",
      etag: '"e"',
    });
    for (const name of ["set-cookie", "x-amz-request-id", "server"])
      expect(headers[name] ?? "").not.toMatch(/S3|a=b|1/);
  });

  it("passes on 206, 304 and 416", async () => {
    answer(206, { "content-range": "bytes 2-4/10" }, "234");
    expect(await get({ range: "bytes=2-4" })).toMatchObject({ status: 206, body: "234" });
    answer(304, { etag: '"e"' });
    expect((await get({ "if-none-match": '"e"' })).status).toBe(304);
    expect(seen.at(-1)?.headers["if-none-match"]).toBe('"e"');
    answer(416, { "content-type": "application/xml", "content-range": "bytes */10" }, "<Error/>");
    const outside = await get({ range: "bytes=20-40" });
    expect([outside.status, JSON.parse(outside.body)]).toEqual([416, { error: "The file does not have these bytes" }]);
  });

  it.each([403, 500, 503])("responds with a JSON 502 if S3 responds with %i", async (status) => {
    answer(status, { "content-type": "application/xml" }, "<Error>secret</Error>");
    const { headers, ...response } = await get();
    expect([response.status, JSON.parse(response.body)]).toEqual([
      502,
      { error: expect.stringContaining("try again") },
    ]);
    expect(headers).not.toHaveProperty("cache-control");
  });

  it("comes from the folder while that has it, too", async () => {
    locate("/-/s3/bucket/ab/abc?X-Amz-Signature=a");
    const { status, headers, body } = await get();
    expect([status, body, headers["content-type"]]).toEqual([200, "0123456789", "image/webp"]);
    expect(headers).toMatchObject({
      "content-security-policy": SANDBOX,
      "cache-control": "private, max-age=31536000, immutable",
    });
    expect(await get({ range: "bytes=2-4" })).toMatchObject({ status: 206, body: "234" });
    expect(await get({}, "HEAD")).toMatchObject({ status: 200, body: "" });
  });

  it("is a JSON 404 if S3 does not have it, and a JSON 502 if S3 closes the connection", async () => {
    answer(404, { "content-type": "application/xml" }, "<Error/>");
    const missing = await get();
    expect([missing.status, JSON.parse(missing.body)]).toEqual([404, { error: "Not found" }]);
    s3.respond = (req) => req.socket.destroy();
    const response = await get();
    expect([response.status, JSON.parse(response.body)]).toEqual([502, { error: expect.any(String) }]);
  });
});

describe("an upload", () => {
  const patch = (body: string, path = "/messageoh/media/uploads/m1") =>
    call(gateway.port, path, { method: "PATCH", body, headers: { "content-type": "application/offset+octet-stream" } });

  it("takes a part of 6 MB and refuses a larger one, and a large body of every other call", async () => {
    let length = 0;
    media.respond = (req, res) => {
      req.on("data", (chunk: Buffer) => {
        length += chunk.length;
      });
      req.on("end", () => res.writeHead(204, { "upload-offset": String(length), "tus-resumable": "1.0.0" }).end());
    };
    const taken = await patch("x".repeat(6_000_000));
    expect([taken.status, taken.headers["upload-offset"], taken.headers["tus-resumable"]]).toEqual([
      204,
      "6000000",
      "1.0.0",
    ]);
    const refused = await patch("x".repeat(6_300_000));
    expect([refused.status, JSON.parse(refused.body)]).toEqual([413, { error: expect.stringContaining("6 MB") }]);
    expect((await patch("x".repeat(103_000), "/messageoh/media/m1")).status).toBe(413);
    expect(length).toBe(6_000_000);
  });

  it("reaches svc-media while it is being sent, and what arrived counts if it breaks off", async () => {
    let received = "";
    let isAborted = false;
    media.respond = (req) => {
      req.on("data", (chunk) => {
        received += chunk;
      });
      req.on("error", () => {
        isAborted = true;
      });
    };
    const socket = connect(gateway.port, "127.0.0.1");
    socket.write("PATCH /messageoh/media/uploads/m1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\npart");
    expect(await until(() => received === "part", 20_000)).toBe(true);
    socket.destroy();
    expect(await until(() => isAborted, 20_000)).toBe(true);
  });

  it("gets the response of svc-media that comes before its last byte", async () => {
    media.respond = (_, res) => {
      res.writeHead(413, { "content-type": "application/json" }).end('{"error":"Too large"}');
    };
    const response = await patch("x".repeat(5_000_000)).catch((error: Error) => error.message);
    expect(response).toMatchObject({ status: 413, body: '{"error":"Too large"}' });
  });

  it("is one of 100 at most of an address, without an effect on its other calls and on other addresses", async () => {
    let begun = 0;
    media.respond = (req, res) => {
      if (req.method !== "PATCH") return res.end("{}");
      begun += 1;
      return undefined;
    };
    const head = (address: string) =>
      `PATCH /messageoh/media/uploads/m1 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nContent-Length: 9\r\n\r\n`;
    const open = (address: string) => {
      const socket = connect(gateway.port, "127.0.0.1");
      socket.write(head(address));
      return socket;
    };
    const sockets = Array.from({ length: 100 }, () => open("203.0.113.7"));
    expect(await until(() => begun === 100, 20_000)).toBe(true);
    const refused = String(await exchange(gateway.port, head("203.0.113.7")));
    expect(refused).toContain("HTTP/1.1 429");
    expect(refused).toContain("Too many connections from your network");
    sockets.push(open("203.0.113.8"));
    expect(await until(() => begun === 101, 20_000)).toBe(true);
    const other = await call(gateway.port, "/messageoh/users", { headers: { "x-forwarded-for": "203.0.113.7" } });
    expect(other.status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

it("leaves the signed address of a file that cannot be loaded out of its log", async () => {
  locate("/-/s3/bucket/ab/abc.view?X-Amz-Signature=secret");
  s3.respond = (req) => req.socket.destroy();
  expect((await get({ "x-forwarded-for": "203.0.113.9" })).status).toBe(502);
  await until(() => gateway.log().includes("203.0.113.9"), 20_000);
  const lines = gateway.log().split("\n");
  expect(lines.filter((line) => line.includes("X-Amz-Signature"))).toEqual([]);
});

it("streams a download of all files without writing it to its disk", async () => {
  let sent = 0;
  media.respond = (_, res) => {
    res.writeHead(200, { "content-type": "application/zip" });
    const chunk = Buffer.alloc(1_000_000);
    const send = () => {
      sent += 1;
      res.write(chunk, () => sent < 200 && send());
    };
    send();
  };
  const socket = connect(gateway.port, "127.0.0.1");
  socket.pause();
  socket.write("GET /messageoh/media/export/u1 HTTP/1.1\r\nHost: a\r\n\r\n");
  // Sockets and buffers hold some megabytes. A gateway that stores the response takes all of it.
  await until(() => sent === 200, 3_000);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(100);
  socket.destroy();
});
