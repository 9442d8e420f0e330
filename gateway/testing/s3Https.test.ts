import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeChain } from "./chain.ts";
import { call, type Echo, startEcho, startGateway, stopEcho } from "./gateway.ts";

let dir: string;
let s3: Server;
let media: Echo;
let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "s3-https-"));
  const { root, ...tls } = await makeChain(dir);
  s3 = createServer(tls, (_, res) => res.end("0123456789"));
  await new Promise<void>((resolve) => s3.listen(0, "127.0.0.1", resolve));
  media = await startEcho("svc-media");
  media.server.prependListener("request", (_, res) => res.setHeader("x-accel-redirect", "/-/s3/bucket/ab/abc.view"));
  const s3Url = `https://localhost:${(s3.address() as AddressInfo).port}`;
  const upstreams = { users: [media], messages: [media], realtime: [media], media: [media] };
  gateway = await startGateway(upstreams, {}, { s3Url, s3Certificates: root });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  await stopEcho(media);
  s3.closeAllConnections();
  s3.close();
  await rm(dir, { recursive: true });
});

it("loads a file from an S3 server whose certificate has two intermediate certificates", async () => {
  const { status, body } = await call(gateway.port, "/messageoh/media/m1/view");
  expect([status, body]).toEqual([200, "0123456789"]);
});
