import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { makeCertificate } from "@messageoh/stack/certificate";
import { repoRoot } from "@messageoh/stack/command/root";
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

/** Connects and returns the fingerprint of the certificate that the gateway presents. */
function presented(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: gateway.port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

it("presents a renewed certificate to new connections while it runs", async () => {
  const before = await presented();
  const { certificate } = await makeCertificate(gateway.dir);
  const renewed = new X509Certificate(await readFile(certificate)).fingerprint256;
  expect(renewed).not.toBe(before);
  expect(await presented()).toBe(renewed);
});

it("reads the files of Kubernetes at each handshake, as it does with npm start", async () => {
  const listen = await readFile(join(repoRoot(), "gateway/kubernetes/listen.conf"), "utf8");
  const files = [...listen.matchAll(/^ssl_certificate(?:_key)? (.*);$/gm)].map(([, file]) => file);
  expect(files).toEqual(["/etc/gateway-tls/tls.crt$at_handshake", "/etc/gateway-tls/tls.key$at_handshake"]);
});
