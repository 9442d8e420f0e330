import { call, type Echo, startEcho, startGateway, stopEcho } from "./gateway.ts";

let service: Echo;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  service = await startEcho("svc");
  const upstreams = { users: [service], messages: [service], realtime: [service], media: [service] };
  gateway = await startGateway(upstreams, { "shell/index.html": "<!doctype html>" }, { isHttps: true });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  await stopEcho(service);
});

it("serves https with a certificate, forwards the scheme and sends Strict-Transport-Security", async () => {
  const page = await call(gateway.port, "/home", { isHttps: true });
  expect(page.status).toBe(200);
  expect(page.headers["strict-transport-security"]).toBe("max-age=31536000; includeSubDomains");
  for (const path of ["/messageoh/users", "/socket.io/?EIO=4&transport=polling"]) {
    const response = await call(gateway.port, path, { isHttps: true, headers: { "x-forwarded-proto": "http" } });
    expect(JSON.parse(response.body).headers).toMatchObject({ "x-forwarded-proto": "https" });
  }
});

it("redirects plain http on its port to https", async () => {
  const response = await call(gateway.port, "/messageoh/users?search=a", { headers: { host: "localhost:4430" } });
  expect(response.status).toBe(301);
  expect(response.headers.location).toBe("https://localhost:4430/messageoh/users?search=a");
});
