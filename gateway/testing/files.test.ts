import { useGateway } from "./gateway.ts";

const { request } = useGateway();

it.each(["/", "/home", "/home/abc", "/no/such/path", "/index.html"])(
  "serves the page, uncached, at %s",
  async (path) => {
    const response = await request(path);
    expect(response.status).toBe(200);
    expect(response.body).toContain('{"release":"r1"}');
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
  },
);

it("serves rules for crawlers, which may read the pages", async () => {
  const response = await request("/robots.txt");
  expect(response.status).toBe(200);
  expect(response.headers["content-type"]).toContain("text/plain");
  expect(response.body).toBe("User-agent: *\nDisallow: /messageoh/\nDisallow: /socket.io/\n");
});

it("sends the policies with every response, and a content security policy with the page", async () => {
  for (const path of ["/", "/assets/main.12345678.js", "/gone.js", "/messageoh/users", "/messageoh/none", "/healthz"]) {
    const { headers } = await request(path);
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(self), payment=(), usb=()",
        "content-security-policy": expect.stringMatching(/default-src 'none';.*frame-ancestors 'none'/),
      }),
    ]);
    // Sent over https only.
    expect(headers).not.toHaveProperty("strict-transport-security");
  }
  const policy = (await request("/")).headers["content-security-policy"];
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("; img-src 'self' blob:; media-src 'self' blob:;");
  expect(policy).not.toMatch(/unsafe|data:/);
});

it.each([
  ["/assets/main.12345678.js", "public, max-age=31536000, immutable"],
  ["/mfe-auth/r1/remoteEntry.12345678.js", "public, max-age=31536000, immutable"],
  ["/mfe-auth/r1/mf-manifest.json", "no-cache"],
  ["/mfe-auth/current.json", "no-cache"],
  ["/shell/current.json", "no-cache"],
  ["/manifest.webmanifest", "no-cache"],
  ["/service-worker.js", "no-cache"],
])("serves %s with cache-control %s", async (path, cacheControl) => {
  const response = await request(path);
  expect(response.status).toBe(200);
  expect(response.headers["cache-control"]).toBe(cacheControl);
  expect(response.headers["x-content-type-options"]).toBe("nosniff");
});

it("serves the web app manifest and the service worker with their types, and lets the worker load files", async () => {
  expect((await request("/manifest.webmanifest")).headers["content-type"]).toContain("application/manifest+json");
  const { headers } = await request("/service-worker.js");
  expect(headers["content-type"]).toContain("application/javascript");
  expect(headers["content-security-policy"]).toContain("connect-src 'self'; img-src 'self'; frame-ancestors");
  expect((await request("/")).headers["content-security-policy"]).toContain("worker-src 'self'; manifest-src 'self'");
});

it.each([
  "/assets/gone.12345678.js",
  "/main.js",
  "/mfe-auth/r0/remoteEntry.js",
  "/mfe-auth/",
  "/mfe-chat/current.json",
])("responds to the missing %s with an uncached 404 and not with the page", async (path) => {
  const response = await request(path);
  expect(response.status).toBe(404);
  expect(response.headers["cache-control"] ?? "none").toMatch(/^(none|no-cache)$/);
  expect(response.body).not.toContain("<script");
});

it.each(["/foo.js", "/a.css", "/assets/x", "/assets/gone.12345678.js", "/mfe-auth/x", "/mfe-chat/r0/gone.js"])(
  "serves the page, uncached, for a navigation to %s",
  async (path) => {
    const response = await request(path, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect(response.status).toBe(200);
    expect(response.body).toContain('{"release":"r1"}');
    expect(response.headers["cache-control"]).toBe("no-cache");
  },
);

it("serves the page for GET and HEAD only", async () => {
  expect((await request("/home", { method: "HEAD" })).status).toBe(200);
  expect((await request("/home", { method: "POST", body: "" })).status).toBe(405);
  expect((await request("/home", { method: "DELETE" })).status).toBe(405);
});
